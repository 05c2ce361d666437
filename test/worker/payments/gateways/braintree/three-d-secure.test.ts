import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/client.ts';
import {
  chargeReadiness,
  createVerificationNonce,
} from '../../../../../worker/payments/gateways/braintree/three-d-secure.ts';
import { walletCard } from '../../../../fakes/braintree/cards.ts';
import { makeNonce } from '../../../../fakes/braintree/vault.ts';
import {
  gateway,
  nonceOfCard,
  openBraintree,
  orderOf,
  verifiedNonce,
} from './braintree-fixture.ts';

const accountOf = (BRAINTREE_THREE_D_SECURE: string) =>
  braintreeCredentials({ ...env, BRAINTREE_THREE_D_SECURE });

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['europe', '4111111111111111', 'go'],
  ['europe', '4000000000001000', 'verify'],
  ['always', '4111111111111111', 'verify'],
  ['asked', '4000000000001000', 'go'],
])(
  '3-D Secure at Braintree: under the rule %s the card %s is to %s',
  async (rule, number, wanted) => {
    const { bank } = openBraintree();
    expect(await chargeReadiness(accountOf(rule), await nonceOfCard(bank, number))).toBe(wanted);
  },
);

test.each([
  ['4000000000001000', 'go'],
  ['4000000000001026', 'go'],
  ['4000000000001018', 'failed'],
  ['4000000000001042', 'failed'],
])('3-D Secure at Braintree: after verification the card %s is to %s', async (number, wanted) => {
  const { bank } = openBraintree();
  const nonce = await verifiedNonce(bank, await nonceOfCard(bank, number));
  expect(await chargeReadiness(accountOf('always'), nonce)).toBe(wanted);
});

const wallets = [
  'fake-paypal-billing-agreement-nonce',
  'fake-apple-pay-visa-nonce',
  'fake-android-pay-visa-nonce',
];

test('3-D Secure at Braintree: a consumed, an unknown and a wallet’s nonce need no verification', async () => {
  openBraintree();
  for (const nonce of ['fake-consumed-nonce', 'nobody', ...wallets]) {
    expect(await chargeReadiness(accountOf('always'), nonce)).toBe('go');
  }
});

test('3-D Secure at Braintree: a card number that Google Pay passes on is verified like a typed one', async () => {
  const { bank } = openBraintree();
  const { nonce } = makeNonce(bank, walletCard('google_pay', 'asks'));
  expect(await chargeReadiness(accountOf('europe'), nonce)).toBe('verify');
  expect(await chargeReadiness(accountOf('asked'), nonce)).toBe('go');
});

test('3-D Secure at Braintree: a saved card gets a nonce for verification, a saved wallet none', async () => {
  const { bank } = openBraintree();
  await gateway.charge(await orderOf('guide_899_usd'));
  const [token = ''] = Object.keys(bank.state.methods);
  const [nonce = '', bin] =
    (await createVerificationNonce(accountOf('always'), token))?.split('#') ?? [];
  expect(bin).toBe('411111');
  expect(bank.state.nonces[nonce]).toMatchObject({ token, consumed: false });
  for (const wallet of wallets) {
    const order = await orderOf('guide_899_usd', wallet);
    await gateway.charge(order);
    const saved = Object.keys(bank.state.methods).at(-1) ?? '';
    expect(await createVerificationNonce(accountOf('always'), saved)).toBe(null);
  }
  await expect(createVerificationNonce(accountOf('always'), 'nothing')).rejects.toThrow('no nonce');
});
