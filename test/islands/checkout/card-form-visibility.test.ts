import { afterEach, expect, it, vi } from 'vitest';
import { syncCardFormWithMethod } from '../../../islands/checkout/card-form-visibility.ts';
import { $checkout } from '../../../islands/stores/checkout.ts';

afterEach(() => vi.unstubAllGlobals());

class Field {
  name = 'method';
  value = 'card';
}

/** A page with, or without, the choice between card and wallet. */
function page(method: Field | null) {
  const heard = new Set<(event: { target: unknown }) => void>();
  vi.stubGlobal('HTMLInputElement', Field);
  vi.stubGlobal('document', {
    querySelector: () => method,
    addEventListener: (_: string, hear: (event: { target: unknown }) => void) => heard.add(hear),
    removeEventListener: (_: string, hear: () => void) => heard.delete(hear),
  });
  const choose = (value: string) => {
    if (method) method.value = value;
    for (const hear of heard) hear({ target: method });
  };
  return { choose, heard };
}

it('card form: opens at once when there is no choice of method', () => {
  page(null);
  syncCardFormWithMethod();
  expect($checkout.get().isCardFormShown).toBe(true);
});

it('card form: closes while a wallet is selected, until unsubscribed', () => {
  const { choose, heard } = page(new Field());
  const end = syncCardFormWithMethod();
  choose('wallet');
  expect($checkout.get().isCardFormShown).toBe(false);
  choose('card');
  expect($checkout.get().isCardFormShown).toBe(true);
  end();
  expect(heard.size).toBe(0);
});
