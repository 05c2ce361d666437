import { textProblem } from './text-problem.ts';

function connect(form: HTMLFormElement): void {
  const key = form.querySelector<HTMLInputElement>('input[name=key]')?.value ?? '';
  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement)) return;
    const count = target.parentElement?.querySelector('.count');
    if (count)
      count.textContent = (count.textContent ?? '').replace(/^\d+/, `${target.value.length}`);
    const note = target.parentElement?.querySelector('.problem-text');
    if (!note) return;
    const problem = textProblem(target.value, target.dataset.model ?? '', key, target.lang);
    note.textContent = problem;
    if (problem) target.setAttribute('aria-invalid', 'true');
    else target.removeAttribute('aria-invalid');
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-texts]')) connect(form);
