import { balanced, totalShare } from './balance-shares.ts';

const isEmpty = (row: Element) =>
  row.querySelector<HTMLInputElement>('input[name=key]')?.value.trim() === '';
const fieldOf = (row: Element) => row.querySelector<HTMLInputElement>('input[name=weight]');
const sliderOf = (row: Element) => row.querySelector<HTMLInputElement>('input[type=range]');

/** Moving a slider changes all others. A typed number stays; the untouched ones fill up to 100. */
function connect(form: HTMLFormElement): void {
  const typed = new Set<Element>();
  const rows = () => [...form.querySelectorAll('tbody tr')].filter((row) => !isEmpty(row));
  const sharesOf = (all: readonly Element[]) => all.map((row) => Number(fieldOf(row)?.value) || 0);
  const show = () => {
    for (const row of form.querySelectorAll('tbody tr')) {
      const [field, slider] = [fieldOf(row), sliderOf(row)];
      if (field && slider) slider.value = field.value || '0';
    }
    const sum = totalShare(sharesOf(rows()));
    const total = form.querySelector<HTMLElement>('output');
    if (!total) return;
    total.textContent = `Total ${sum}%${sum === 100 ? '' : ', must be 100%'}`;
    total.className = sum === 100 ? '' : 'problem-text';
  };
  const balance = (fixedRows: ReadonlySet<Element>) => {
    const named = rows();
    const fixed = new Set(named.flatMap((row, at) => (fixedRows.has(row) ? [at] : [])));
    for (const [at, share] of balanced(sharesOf(named), fixed).entries()) {
      const field = named[at] && fieldOf(named[at]);
      if (field) field.value = String(share);
    }
    show();
  };
  for (const slider of form.querySelectorAll<HTMLInputElement>('input[type=range]')) {
    slider.classList.remove('waiting');
  }
  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.type !== 'range') return show();
    const row = target.closest('tr');
    const field = row && fieldOf(row);
    if (!field || isEmpty(row)) return;
    field.value = rows().length === 1 ? '100' : target.value;
    typed.clear();
    balance(new Set([row]));
  });
  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type === 'range') return;
    const row = target.closest('tr');
    if (row && target.name === 'weight') balance(typed.add(row));
    else if (target.name === 'key') balance(typed);
  });
  form.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'weight') target.select();
  });
  show();
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-shares]')) connect(form);
