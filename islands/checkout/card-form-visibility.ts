import { showCardForm } from '../stores/checkout.ts';

const chosen = () =>
  document.querySelector<HTMLInputElement>('input[name=method]:checked')?.value ?? 'card';

/**
 * Shows the card form unless a wallet is selected.
 *
 * @returns the unsubscribe function
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
