import { luhn } from '../browser/card-format.ts';
import type { Choice } from '../browser/wallet-sheet.ts';
import type { CardView, ThreeDSecure } from './state.ts';

/** The 3-D Secure result of a test card, with or without a challenge. */
export interface Authentication extends ThreeDSecure {
  challenge: boolean;
}

interface TestCard {
  brand: string;
  /** Processor response of every charge; approved by default. */
  code?: string;
  authentication?: Authentication;
}

const outcome = (status: string, shifted: boolean, challenge = false): Authentication => ({
  status,
  liabilityShifted: shifted,
  liabilityShiftPossible: !/^lookup_|unavailable|unable/.test(status),
  challenge,
});
const verified = (...args: Parameters<typeof outcome>): TestCard => ({
  brand: 'VISA',
  authentication: outcome(...args),
});

/** developer.paypal.com/braintree/docs/reference/general/testing and /guides/3d-secure/testing */
const cards: Record<string, TestCard> = {
  '4111111111111111': { brand: 'VISA' },
  '4005519200000004': { brand: 'VISA' },
  '4012888888881881': { brand: 'VISA' },
  '4217651111111119': { brand: 'VISA' },
  '5555555555554444': { brand: 'MASTERCARD' },
  '2223000048400011': { brand: 'MASTERCARD' },
  '378282246310005': { brand: 'AMERICAN_EXPRESS' },
  '6011111111111117': { brand: 'DISCOVER' },
  '4000111111111115': { brand: 'VISA', code: '2000' },
  '5105105105105100': { brand: 'MASTERCARD', code: '2000' },
  '378734493671000': { brand: 'AMERICAN_EXPRESS', code: '2000' },
  '4000000000001000': verified('authenticate_successful', true),
  '4000000000001018': verified('authenticate_frictionless_failed', false),
  '4000000000001026': verified('authenticate_attempt_successful', true),
  '4000000000001034': verified('authenticate_unable_to_authenticate', false),
  '4000000000001042': verified('authenticate_rejected', false),
  '4000000000001059': verified('authentication_unavailable', false),
  '4000000000001067': verified('lookup_error', false),
  '4000000000001083': verified('lookup_bypassed', false),
  '4000000000001091': verified('authenticate_successful', true, true),
  '4000000000001109': verified('authenticate_failed', false, true),
};

/** Only the last four digits of a number are stored. */
const byName = new Map(
  Object.entries(cards).map(([number, card]) => [`${card.brand} ${number.slice(-4)}`, card]),
);

/** `invalid` for anything but a card number, `unknown` for a number that Braintree does not publish. */
export function cardOf(number: string, expiration: string): CardView | 'invalid' | 'unknown' {
  if (!luhn(number)) return 'invalid';
  const card = cards[number];
  if (!card) return 'unknown';
  const last4 = number.slice(-4);
  return {
    kind: 'card',
    bin: number.slice(0, 6),
    last4,
    brand: card.brand,
    expiration,
    // Our choice: the 3-D Secure test cards are European, so that the rule `europe` applies.
    country: card.authentication ? 'GBR' : 'USA',
    test: `${card.brand} ${last4}`,
  };
}

const paypal: CardView = {
  kind: 'paypal',
  bin: '',
  last4: '',
  brand: 'PAYPAL',
  expiration: '',
  country: '',
  test: 'paypal',
};

/** A PayPal account that is declined. */
const emptyPaypal: CardView = { ...paypal, test: 'code 2074' };

const sample = (number: string, code = ''): CardView => ({
  ...(cardOf(number, '12/2034') as CardView),
  ...(code ? { test: `code ${code}` } : {}),
});

const numbers: Record<Choice, string> = {
  approves: '4111111111111111',
  declines: '4000111111111115',
  asks: '4000000000001091',
};

/** The card or account behind the choice in a wallet; only a plain card number can be verified. */
export function walletCard(kind: CardView['kind'], choice: Choice): CardView {
  if (kind === 'paypal') return choice === 'declines' ? emptyPaypal : paypal;
  return { ...sample(numbers[choice]), kind, tokenized: choice !== 'asks' };
}

/** Braintree's published nonces, which can be used repeatedly. */
export const testNonces: Record<string, CardView> = {
  'fake-valid-nonce': sample('4111111111111111'),
  'fake-valid-visa-nonce': sample('4111111111111111'),
  'fake-valid-mastercard-nonce': sample('5555555555554444'),
  'fake-valid-amex-nonce': sample('378282246310005'),
  'fake-valid-discover-nonce': sample('6011111111111117'),
  'fake-processor-declined-visa-nonce': sample('4000111111111115'),
  'fake-processor-declined-mastercard-nonce': sample('5105105105105100'),
  'fake-processor-declined-amex-nonce': sample('378734493671000'),
  'fake-processor-failure-jcb-nonce': sample('4111111111111111', '3000'),
  'fake-gateway-rejected-fraud-nonce': sample('4111111111111111', 'fraud'),
  'fake-apple-pay-visa-nonce': walletCard('apple_pay', 'approves'),
  'fake-android-pay-visa-nonce': walletCard('google_pay', 'approves'),
  'fake-paypal-one-time-nonce': paypal,
  'fake-paypal-billing-agreement-nonce': paypal,
};

/** The published nonce that is always consumed. */
export const consumedNonce = 'fake-consumed-nonce';

/** The processor response that a test card gives to every charge. */
export function codeOf({ test }: CardView): string | undefined {
  return test.startsWith('code ') ? test.slice(5) : byName.get(test)?.code;
}

export function authenticationOf({ test }: CardView): Authentication {
  return byName.get(test)?.authentication ?? outcome('authenticate_successful', true);
}
