import { loadShared } from '../hydration/chunks.ts';
import { navigate } from './navigate.ts';

const isContinueForm = (form: HTMLFormElement) =>
  !form.closest('x-island') &&
  form.method === 'post' &&
  !form.querySelector('[name]') &&
  new URL(form.action).pathname === location.pathname;

export function interceptForms(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const isLanguageForm = form.matches('[action="/language"]:not([failed])');
    if (event.defaultPrevented || !(isLanguageForm || isContinueForm(form))) return;
    event.preventDefault();
    if (!isLanguageForm) navigate();
    else loadShared(true).then((shared) => shared.switchLanguage(form, event.submitter));
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-navigate]');
    const { defaultPrevented, metaKey, ctrlKey, shiftKey } = event;
    if (!link || defaultPrevented || metaKey || ctrlKey || shiftKey) return;
    event.preventDefault();
    navigate(link.pathname, link.hash);
  });
}
