import { writeHandover } from '../storage/window-name-handover.ts';
import { depth } from './back-button.ts';
import { navigate } from './navigate.ts';

async function switchLanguage(form: HTMLFormElement, choice: HTMLElement | null): Promise<void> {
  const body = new URLSearchParams([...new FormData(form, choice)] as [string, string][]);
  try {
    await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
  } catch {
    form.requestSubmit(choice);
    return;
  }
  const here = new URL(location.href);
  here.searchParams.delete('custom_lng');
  history.replaceState(history.state, '', here);
  writeHandover(depth());
  location.reload();
}

const goesOn = (form: HTMLFormElement) =>
  !form.closest('x-island') &&
  form.method === 'post' &&
  !form.querySelector('[name]') &&
  new URL(form.action).pathname === location.pathname;

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
