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

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-apply]')) connect(form);
document
  .querySelector('.sections [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' });

export {};
