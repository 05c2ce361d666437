import { showCardForm } from '../stores/checkout.ts';

const chosen = () =>
  document.querySelector<HTMLInputElement>('input[name=method]:checked')?.value ?? 'card';

/**
 * Opens the card form, and closes it while a wallet is chosen instead.
 *
 * @returns ends it
 */
export function syncCardFormWithMethod(): () => void {
  const take = () => showCardForm(chosen() === 'card');
  const hear = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.name === 'method') take();
  };
  take();
  document.addEventListener('change', hear);
  return () => document.removeEventListener('change', hear);
}
