import { writeHandover } from '../storage/window-name-handover.ts';
import { depth } from './back-button.ts';

/** Asks the Worker for another language and loads the screen again, with everything kept. */
export async function switchLanguage(
  form: HTMLFormElement,
  choice: HTMLElement | null,
): Promise<void> {
  const body = new URLSearchParams([...new FormData(form, choice)] as [string, string][]);
  try {
    await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
  } catch {
    form.setAttribute('failed', '');
    form.requestSubmit(choice);
    return;
  }
  const here = new URL(location.href);
  here.searchParams.delete('custom_lng');
  history.replaceState(history.state, '', here);
  writeHandover(depth());
  location.reload();
}
