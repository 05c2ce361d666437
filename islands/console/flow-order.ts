function renumber(rows: readonly Element[]): void {
  for (const [at, row] of rows.entries()) {
    for (const button of row.querySelectorAll<HTMLButtonElement>('button[name=step]')) {
      const [verb] = button.value.split(' ');
      button.value = `${verb} ${at}`;
      button.disabled = (verb === 'up' && at === 0) || (verb === 'down' && at === rows.length - 1);
    }
  }
}

/** Reorders a flow's screens by drag; the buttons do the same without a pointer or a script. */
function connect(list: HTMLElement): void {
  const rows = () => [...list.children] as HTMLElement[];
  let dragged: HTMLElement | null = null;
  for (const row of rows()) {
    row.draggable = true;
    row.addEventListener('dragstart', ({ dataTransfer }) => {
      dragged = row;
      if (dataTransfer) dataTransfer.effectAllowed = 'move';
      row.classList.add('dragged');
    });
    row.addEventListener('dragend', () => {
      row.classList.remove('dragged');
      dragged = null;
      renumber(rows());
      const review = list.parentElement?.querySelector<HTMLButtonElement>('.last button');
      if (review) review.disabled = false;
    });
    row.addEventListener('dragover', (event) => {
      if (!dragged || dragged === row) return;
      event.preventDefault();
      const { left, width } = row.getBoundingClientRect();
      const isBefore = event.clientX < left + width / 2;
      list.insertBefore(dragged, isBefore ? row : row.nextSibling);
    });
  }
  list.addEventListener('drop', (event) => event.preventDefault());
}

for (const list of document.querySelectorAll<HTMLElement>('[data-order]')) connect(list);
