import { handOver } from './back-button.ts';

/** Requests another language from the Worker and reloads the screen, keeping the state. */
export async function switchLanguage(
  form: HTMLFormElement,
  choice: HTMLElement | null,
): Promise<void> {
  const body = new URLSearchParams([...new FormData(form)] as [string, string][]);
  // Older browsers leave the pressed button out of the form's data.
  const { name, value = '' }: Partial<HTMLButtonElement> = choice ?? {};
  if (name) body.set(name, value);
  try {
    await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
  } catch {
    form.setAttribute('failed', ''); // The browser sends the form itself, and shows what is wrong.
    form.requestSubmit(choice);
    return;
  }
  const here = new URL(location.href);
  here.searchParams.delete('custom_lng');
  history.replaceState(history.state, '', here);
  handOver();
  location.reload();
}
