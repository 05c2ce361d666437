import { balanced } from './balance.ts';

const isEmpty = (row: Element) =>
  row.querySelector<HTMLInputElement>('input[name=key]')?.value.trim() === '';

/** Moving one share moves the others, so that the variants with a name add up to 100. */
function connect(form: HTMLFormElement): void {
  const rows = () => [...form.querySelectorAll('tbody tr')].filter((row) => !isEmpty(row));
  const fieldOf = (row: Element) => row.querySelector<HTMLInputElement>('input[name=weight]');
  const sliderOf = (row: Element) => row.querySelector<HTMLInputElement>('input[type=range]');
  const show = () => {
    for (const row of form.querySelectorAll('tbody tr')) {
      const [field, slider] = [fieldOf(row), sliderOf(row)];
      if (field && slider) slider.value = field.value || '0';
    }
  };
  const change = (row: Element, value: number) => {
    const named = rows();
    const at = named.indexOf(row);
    if (at < 0 || !Number.isFinite(value)) return;
    const shares = named.map((each) => Number(fieldOf(each)?.value) || 0);
    for (const [index, share] of balanced(shares, at, value).entries()) {
      const field = named[index] && fieldOf(named[index]);
      if (field) field.value = String(share);
    }
    show();
  };
  for (const slider of form.querySelectorAll<HTMLInputElement>('input[type=range]')) {
    slider.classList.remove('waiting');
  }
  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'range') return;
    const row = target.closest('tr');
    if (row) change(row, Number(target.value));
  });
  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'weight') return;
    const row = target.closest('tr');
    if (row) change(row, Number(target.value));
  });
  show();
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-shares]')) connect(form);
