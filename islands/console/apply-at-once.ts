/** Browsers change a date with each typed digit of its year. */
const isWhole = ({ value }: HTMLInputElement) => value.startsWith('20');

/** Sends a form as soon as a choice changes; a period of days once both are whole. */
function connect(form: HTMLFormElement): void {
  form.addEventListener('change', () => {
    const days = [...form.querySelectorAll<HTMLInputElement>('input[type=date]')];
    const typed = days.filter(({ value }) => value !== '');
    if (typed.length !== 1 && typed.every(isWhole)) form.requestSubmit();
  });
}

function replace(id: string, answer: Document): void {
  const [old, next] = [document.getElementById(id), answer.getElementById(id)];
  if (!old || !next) return;
  const focused = old.querySelector<HTMLInputElement>('input:focus')?.name;
  old.replaceWith(next);
  if (focused) next.querySelector<HTMLInputElement>(`[name="${focused}"]`)?.select();
}

/** Shows the suggested prices and the page as soon as a field changes. */
function follow(form: HTMLFormElement): void {
  let inputs = 0;
  form.addEventListener('input', () => {
    inputs += 1;
  });
  form.addEventListener('change', () => {
    const [at, fields] = [inputs, new FormData(form)];
    for (const field of form.querySelectorAll<HTMLInputElement>('[data-suggested]'))
      if (field.value === field.defaultValue) fields.set(field.name, '');
    if (!fields.get('prices.USD')) return;
    // Trusted Types forbid to parse the text of an answer.
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.open('POST', form.dataset.step ?? '');
    request.onload = () => {
      if (at !== inputs || request.status !== 200) return;
      for (const id of ['prices', 'page']) replace(id, request.response);
    };
    request.send(new URLSearchParams([...fields].map(([name, text]) => [name, String(text)])));
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-apply]')) connect(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-step]')) follow(form);
document
  .querySelector('.sections [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' });

export {};
