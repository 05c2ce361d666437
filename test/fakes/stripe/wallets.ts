import type { Stripe } from 'stripe';
import type { Call } from './call.ts';
import { cardNamed } from './cards.ts';
import { invalid } from './errors.ts';
import { text } from './params.ts';
import { usable } from './payment-methods.ts';

const ON_CARDS = ['apple_pay', 'google_pay'];

/**
 * POST /__wallet, for the fake Stripe.js only; not part of Stripe's API: the payment
 * method that a wallet's sheet makes. Apple Pay and Google Pay are cards; PayPal and Link are types
 * of their own that charge as the chosen test card does.
 */
export function createWalletMethod({ params, state, now }: Call): Stripe.PaymentMethod {
  const wallet = text(params, 'wallet') ?? '';
  const card = cardNamed(text(params, 'card') ?? '');
  if (!card) throw invalid('No such test card.', undefined, 'card');
  const method = usable(card, state, now, 'card');
  const email = text(params, 'email') ?? null;
  if (ON_CARDS.includes(wallet) && method.card) {
    const { last4 } = method.card;
    method.card.wallet = { dynamic_last4: last4, type: wallet, [wallet]: {} };
  } else if (wallet === 'link' || wallet === 'paypal') {
    delete method.card;
    method.type = wallet;
    if (wallet === 'link') method.link = { email };
    else method.paypal = { country: 'DE', payer_email: email, payer_id: 'FAKEPAYER' };
  } else {
    throw invalid('No such wallet.', undefined, 'wallet');
  }
  return method;
}
