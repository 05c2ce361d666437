import type { World } from './call.ts';
import { authenticationOf } from './cards.ts';
import { NotThere } from './errors.ts';
import { type Lookup, type Nonce, newId, type ThreeDSecure } from './state.ts';
import { makeNonce, nonceNamed, spend } from './vault.ts';
import { answerWallet } from './wallets.ts';

/** Where the bank of every test card asks its owner; any https host may be a bank's. */
const acsUrl = 'https://acs.bank.example/challenge';

const info = (secure: ThreeDSecure) => ({
  liabilityShifted: secure.liabilityShifted,
  liabilityShiftPossible: secure.liabilityShiftPossible,
  status: secure.status,
  enrolled: 'Y',
});

const paymentMethod = ({ nonce, card, threeDSecure }: Nonce) => ({
  nonce,
  type: 'CreditCard',
  consumed: false,
  description: `ending in ${card.last4.slice(2)}`,
  details: { bin: card.bin, lastFour: card.last4, lastTwo: card.last4.slice(2), cardType: 'Visa' },
  binData: { countryOfIssuance: card.country },
  threeDSecureInfo: threeDSecure ? info(threeDSecure) : null,
});

/** The verified nonce that takes the place of one that is spent by it. */
function verified(world: World, name: string, threeDSecure: ThreeDSecure): Nonce {
  const { card, token } = spend(world, name);
  return makeNonce(world, card, { threeDSecure, token });
}

/** POST payment_methods/:nonce/three_d_secure/lookup */
function lookUp(world: World, name: string) {
  const nonce = nonceNamed(world, name);
  if (nonce.consumed) throw new NotThere(name);
  const { challenge, ...secure } = authenticationOf(nonce.card);
  const threeDSecureVersion = '2.2.0';
  if (!challenge) {
    const made = verified(world, name, secure);
    return {
      paymentMethod: paymentMethod(made),
      threeDSecureInfo: info(secure),
      lookup: { acsUrl: null, threeDSecureVersion },
    };
  }
  const transactionId = newId(20);
  world.state.lookups[transactionId] = { nonce: name, outcome: 'asked' };
  const open = {
    status: 'challenge_required',
    liabilityShifted: false,
    liabilityShiftPossible: true,
  };
  return {
    paymentMethod: paymentMethod({ ...nonce, threeDSecure: open }),
    threeDSecureInfo: info(open),
    lookup: {
      acsUrl,
      pareq: transactionId,
      md: transactionId,
      termUrl: 'https://api.sandbox.braintreegateway.com/term',
      threeDSecureVersion,
      transactionId,
    },
  };
}

/** POST payment_methods/:nonce/three_d_secure/authenticate_from_jwt */
function authenticate(world: World, name: string, jwt: string) {
  const lookup: Lookup | undefined = world.state.lookups[jwt];
  if (lookup?.nonce !== name || lookup.outcome === 'asked') throw new NotThere(jwt);
  const { challenge: _, ...ends } = authenticationOf(nonceNamed(world, name).card);
  const failed = {
    status: 'authenticate_failed',
    liabilityShifted: false,
    liabilityShiftPossible: true,
  };
  const secure = lookup.outcome === 'authenticated' ? ends : failed;
  return {
    paymentMethod: paymentMethod(verified(world, name, secure)),
    threeDSecureInfo: info(secure),
    success: secure.liabilityShifted,
  };
}

/** What a browser may ask under `client_api/v1`; undefined for anything else. */
export function answerClient(
  world: World,
  path: string,
  body: Record<string, unknown>,
): object | undefined {
  const [, nonce = '', step] = /^payment_methods\/([^/]+)\/three_d_secure\/(\w+)$/.exec(path) ?? [];
  if (step === 'lookup') return lookUp(world, decodeURIComponent(nonce));
  if (step === 'authenticate_from_jwt') {
    return authenticate(world, decodeURIComponent(nonce), String(body.jwt));
  }
  return answerWallet(world, path, body);
}
