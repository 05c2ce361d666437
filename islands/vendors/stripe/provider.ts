import type { StripeElementLocale } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { awaitChallenge, ChallengeError } from '../bank-challenge.ts';
import { loadScript } from '../load-script.ts';
import { CardError, cardLabel, type Provider } from '../payment-provider.ts';
import { mountCard } from './card-fields.ts';
import { refusal } from './refusal.ts';
import { mountWallets } from './wallets.ts';

/** @param vendors path prefix of the fakes, else empty @throws when the script does not load */
export async function stripeProvider(
  key: string,
  vendors: string,
  locale: string,
): Promise<Provider> {
  if (vendors) await loadScript(`${vendors}/js.stripe.com/v3/stripe.js`);
  const stripe = await loadStripe(key, { locale: locale as StripeElementLocale });
  if (!stripe) throw new Error('Stripe.js not available');
  return {
    gateway: 'stripe',

    async mount(boxes, words, report) {
      const { card, errors, focus, unmount } = mountCard(stripe, boxes, words, report);
      let label = '';
      const nonce = async (name: string) => {
        // Stripe names only the first field.
        const wrong = errors();
        const [first] = Object.values(wrong);
        if (first) throw new CardError(first, wrong);
        const { paymentMethod, error } = await stripe.createPaymentMethod({
          type: 'card',
          card,
          billing_details: name ? { name } : undefined,
        });
        if (error) throw refusal(error, words.wrong);
        label = cardLabel(paymentMethod.card?.brand, paymentMethod.card?.last4);
        return paymentMethod.id;
      };
      return { nonce, label: () => label, focus, unmount };
    },

    express: (box, options) => mountWallets(stripe, box, options),

    async bank(box, sum) {
      const { mountBank } = await import('./bank-fields.ts');
      return mountBank(stripe, box, sum);
    },

    async confirm(challenge) {
      if (challenge.kind !== 'intent') throw new TypeError('no intent to confirm');
      try {
        return await awaitChallenge(stripe.handleNextAction({ clientSecret: challenge.secret }));
      } catch (error) {
        if (error instanceof ChallengeError) return { error: { code: error.code } };
        // Stripe throws when no action is pending; the server reads the intent's state.
        return { error: { message: error instanceof Error ? error.message : undefined } };
      }
    },
  };
}
