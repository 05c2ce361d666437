import type { Client } from 'braintree-web';
import type { Confirmed } from '../../checkout/purchase.ts';
import { $signup } from '../../stores/signup.ts';
import { cardLabel, type Provider } from '../payment-provider.ts';
import { mountFields, refusal } from './card-fields.ts';
import { braintreeModule } from './load-modules.ts';
import { type CardNonce, prepareVerification, verifyCard } from './three-d-secure.ts';

/** Braintree's messages are for developers, so only error codes that we translate are passed on. */
function unconfirmed(error: unknown): Confirmed {
  const { code = '' }: { code?: string } = error ?? {};
  const known = /^(card_declined|challenge_\w+)$/.test(code);
  if (known) return { error: { code } };
  return { error: { code: 'challenge_unavailable', ...(code && { decline_code: code }) } };
}

export async function braintreeProvider(token: string, vendors: string): Promise<Provider> {
  const module = await braintreeModule('client', vendors);
  const client: Client = await module.create({ authorization: token });
  let card: CardNonce = { nonce: '', bin: '' };
  let byWallet = false;
  let tokenize: (() => Promise<CardNonce>) | null = null;

  async function cardToVerify(requested: string): Promise<CardNonce> {
    if (requested === '') {
      // A closed wallet sheet cannot create a second nonce, so this counts as declined by the bank.
      if (byWallet) throw Object.assign(new Error(), { code: 'card_declined' });
      if (!tokenize) throw new Error('no card fields');
      return tokenize();
    }
    const [nonce = '', bin = card.bin] = requested.split('#');
    return { nonce, bin };
  }

  return {
    gateway: 'braintree',

    async mount(boxes, words, report) {
      if ($signup.get().threeDS > 0) prepareVerification(client, vendors);
      const mounted = await mountFields(client, vendors, boxes, words, report);
      let holder = '';
      let label = '';
      tokenize = async () => {
        const { nonce, details } = await mounted.fields.tokenize(
          holder ? { cardholderName: holder } : {},
        );
        card = { nonce, bin: details.bin };
        label = cardLabel(details.cardType, details.lastFour);
        byWallet = false;
        return card;
      };
      const tokenizeMounted = tokenize;
      return {
        async nonce(name) {
          holder = name;
          try {
            return (await tokenizeMounted()).nonce;
          } catch (error) {
            throw refusal(error, words.wrong, mounted.fields.getState().fields);
          }
        },
        label: () => label,
        focus: mounted.focus,
        unmount() {
          tokenize = null;
          mounted.unmount();
        },
      };
    },

    async express(box, options) {
      const { mountWallets } = await import('./wallets.ts');
      return mountWallets(client, vendors, box, options, (paid) => {
        card = paid;
        byWallet = true;
      });
    },

    async confirm(challenge, words) {
      if (challenge.kind !== 'card') throw new TypeError('no nonce to verify');
      try {
        const unverified = await cardToVerify(challenge.nonce);
        const { amount } = challenge;
        const { email, userLocation: country } = $signup.get();
        const buyer = { email, country };
        return {
          nonce: await verifyCard(client, vendors, { ...unverified, amount, ...buyer }, words),
        };
      } catch (error) {
        return unconfirmed(error);
      }
    },
  };
}
