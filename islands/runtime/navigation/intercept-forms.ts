import { navigate } from './navigate.ts';
import { switchLanguage } from './switch-language.ts';

/** Whether a form is a plain Continue button. */
const goesOn = (form: HTMLFormElement) =>
  !form.closest('x-island') &&
  form.method === 'post' &&
  !form.querySelector('[name]') &&
  new URL(form.action).pathname === location.pathname;

/**
 * Makes Continue forms and `data-navigate` links use `navigate`, and the language form
 * `switchLanguage`.
 */
export function interceptForms(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const speaks = form.matches('[action="/language"]');
    if (event.defaultPrevented || !(speaks || goesOn(form))) return;
    event.preventDefault();
    if (speaks) switchLanguage(form, event.submitter);
    else navigate();
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-navigate]');
    const plain = !event.defaultPrevented && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!link || !plain) return;
    event.preventDefault();
    navigate(link.pathname);
  });
}
