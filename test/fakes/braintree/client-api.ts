import type { Sandbox } from './call.ts';
import { authenticationOf } from './cards.ts';
import { NotFound } from './errors.ts';
import { type Lookup, type Nonce, newId, type ThreeDSecure } from './state.ts';
import { makeNonce, nonceNamed, spend } from './vault.ts';
import { answerWallet } from './wallets.ts';

/** The challenge page of every test card's bank; any https host may be one. */
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

/** Consumes a nonce and returns the verified one. */
function verified(sandbox: Sandbox, name: string, threeDSecure: ThreeDSecure): Nonce {
  const { card, token } = spend(sandbox, name);
  return makeNonce(sandbox, card, { threeDSecure, token });
}

/** POST payment_methods/:nonce/three_d_secure/lookup */
function lookUp(sandbox: Sandbox, name: string) {
  const nonce = nonceNamed(sandbox, name);
  if (nonce.consumed) throw new NotFound(name);
  const { challenge, ...secure } = authenticationOf(nonce.card);
  const threeDSecureVersion = '2.2.0';
  if (!challenge) {
    const made = verified(sandbox, name, secure);
    return {
      paymentMethod: paymentMethod(made),
      threeDSecureInfo: info(secure),
      lookup: { acsUrl: null, threeDSecureVersion },
    };
  }
  const transactionId = newId(20);
  sandbox.state.lookups[transactionId] = { nonce: name, outcome: 'asked' };
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
function authenticate(sandbox: Sandbox, name: string, jwt: string) {
  const lookup: Lookup | undefined = sandbox.state.lookups[jwt];
  if (lookup?.nonce !== name || lookup.outcome === 'asked') throw new NotFound(jwt);
  const { challenge: _, ...ends } = authenticationOf(nonceNamed(sandbox, name).card);
  const failed = {
    status: 'authenticate_failed',
    liabilityShifted: false,
    liabilityShiftPossible: true,
  };
  const secure = lookup.outcome === 'authenticated' ? ends : failed;
  return {
    paymentMethod: paymentMethod(verified(sandbox, name, secure)),
    threeDSecureInfo: info(secure),
    success: secure.liabilityShifted,
  };
}

/** The calls under `client_api/v1`; undefined for any other. */
export function answerClient(
  sandbox: Sandbox,
  path: string,
  body: Record<string, unknown>,
): object | undefined {
  const [, nonce = '', step] = /^payment_methods\/([^/]+)\/three_d_secure\/(\w+)$/.exec(path) ?? [];
  if (step === 'lookup') return lookUp(sandbox, decodeURIComponent(nonce));
  if (step === 'authenticate_from_jwt') {
    return authenticate(sandbox, decodeURIComponent(nonce), String(body.jwt));
  }
  return answerWallet(sandbox, path, body);
}
