import type { Client, ThreeDSecure } from 'braintree-web';
import {
  awaitChallenge,
  type ChallengeCode,
  ChallengeError,
  type ChallengeWords,
  showChallenge,
} from '../bank-challenge.ts';
import { braintreeModule } from './load-modules.ts';

export interface CardNonce {
  nonce: string;
  bin: string;
}

export interface Verified extends CardNonce {
  /** Decimal, such as `6.99`. */
  amount: string;
  email: string;
  /** The buyer's country, ISO 3166 alpha-2; null when unknown. */
  country: string | null;
}

interface Verifier {
  threeDSecure: ThreeDSecure;
  show: (frame: HTMLElement) => void;
}

const made = new WeakMap<Client, Promise<Verifier>>();

async function makeVerifier(client: Client, vendors: string): Promise<Verifier> {
  const module = await braintreeModule('threeDSecure', vendors);
  // Other versions open a Cardinal window that the page cannot close (braintree-web issue 596).
  const threeDSecure = await module.create({ client, version: '2-inline-iframe' });
  const verifier: Verifier = { threeDSecure, show: () => {} };
  threeDSecure.on('authentication-iframe-available', ({ element }, next) => {
    verifier.show(element);
    next?.();
  });
  return verifier;
}

export function prepareVerification(client: Client, vendors: string): void {
  verifierOf(client, vendors).catch(() => {});
}

/** Cached, because each instance replaces Cardinal's global listeners. */
function verifierOf(client: Client, vendors: string): Promise<Verifier> {
  const known = made.get(client);
  if (known) return known;
  const created = makeVerifier(client, vendors);
  made.set(client, created);
  created.catch(() => made.delete(client));
  return created;
}

export async function verifyCard(
  client: Client,
  vendors: string,
  { nonce, bin, amount, email, country }: Verified,
  words: ChallengeWords,
): Promise<string> {
  let verifier: Verifier | undefined;
  let hide = () => {};
  let over = false;
  let end = (_code: ChallengeCode) => {};
  const ended = new Promise<never>((_, fail) => {
    end = (code) => fail(new ChallengeError(code));
  });

  const verify = async (): Promise<string> => {
    verifier = await verifierOf(client, vendors);
    verifier.show = (frame) => {
      if (!over) hide = showChallenge(frame, words, () => end('challenge_closed'));
    };
    const verified = await verifier.threeDSecure.verifyCard({
      nonce,
      bin,
      amount,
      ...(email && { email }),
      ...(country && { billingAddress: { countryCodeAlpha2: country } }),
      // Window sizes of EMV 3-D Secure: 250 or 390 px wide.
      additionalInformation: { acsWindowSize: innerWidth < 414 ? '01' : '02' },
      onLookupComplete({ requiresUserAuthentication }, next) {
        // Without Cardinal's script, `_presentChallenge` of braintree-web returns silently and never ends.
        if (requiresUserAuthentication && !('Cardinal' in window)) end('challenge_unavailable');
        else if (!over) next();
      },
    });
    return verified.nonce;
  };

  try {
    return await awaitChallenge(Promise.race([verify(), ended]));
  } catch (error) {
    // Allows the next verification; it rejects when there is nothing to cancel.
    verifier?.threeDSecure.cancelVerifyCard().catch(() => undefined);
    throw error;
  } finally {
    over = true;
    hide();
  }
}
