import type { Sandbox } from './call.ts';
import { consumedNonce, testNonces } from './cards.ts';
import { Invalid, NotFound } from './errors.ts';
import { type CardView, type Method, type Nonce, newId } from './state.ts';

export function makeNonce(
  { state }: Pick<Sandbox, 'state'>,
  card: CardView,
  more: Partial<Pick<Nonce, 'threeDSecure' | 'token'>> = {},
): Nonce {
  const nonce = `tokencc_bf_${newId(6)}_${newId(6)}_${newId(6)}_${newId(3)}`;
  const made: Nonce = { nonce, card, consumed: false, threeDSecure: null, token: null, ...more };
  state.nonces[nonce] = made;
  return made;
}

/** A published nonce is created anew each time. */
export function nonceNamed({ state }: Sandbox, nonce: string): Nonce {
  const card = testNonces[nonce];
  const blank = { nonce, consumed: false, threeDSecure: null, token: null };
  if (card) return { ...blank, card };
  if (nonce === consumedNonce) {
    return { ...blank, card: testNonces['fake-valid-nonce'] as CardView, consumed: true };
  }
  const found = state.nonces[nonce];
  if (!found) throw new NotFound(nonce);
  return found;
}

/** Consumes a nonce. */
export function spend(sandbox: Sandbox, name: string): Nonce {
  let nonce: Nonce;
  try {
    nonce = nonceNamed(sandbox, name);
  } catch {
    throw new Invalid('91565', 'paymentMethodId', 'Unknown or expired payment_method_nonce.');
  }
  if (nonce.consumed) {
    const text = 'Cannot use a payment_method_nonce more than once.';
    throw new Invalid('91564', 'paymentMethodId', text);
  }
  nonce.consumed = true;
  return nonce;
}

/** Stores a card with a customer. */
export function vault({ state, now }: Sandbox, customer: string, card: CardView): Method {
  const method: Method = { token: newId(), customer, card, createdAt: now() };
  state.methods[method.token] = method;
  return method;
}
