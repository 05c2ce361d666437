import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/credentials.ts';
import {
  nonceOf,
  readiness,
} from '../../../../../worker/payments/gateways/braintree/three-d-secure.ts';
import { walletCard } from '../../../../fakes/braintree/cards.ts';
import { makeNonce } from '../../../../fakes/braintree/vault.ts';
import { gateway, nonceOfCard, openBraintree, orderOf, verifiedNonce } from './bank.ts';

const accountOf = (BRAINTREE_THREE_D_SECURE: string) =>
  braintreeCredentials({ ...env, BRAINTREE_THREE_D_SECURE });

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['europe', '4111111111111111', 'go'],
  ['europe', '4000000000001000', 'verify'],
  ['always', '4111111111111111', 'verify'],
  ['asked', '4000000000001000', 'go'],
])('rule %s, card %s: %s', async (rule, number, wanted) => {
  const { bank } = openBraintree();
  expect(await readiness(accountOf(rule), await nonceOfCard(bank, number))).toBe(wanted);
});

test.each([
  ['4000000000001000', 'go'],
  ['4000000000001026', 'go'],
  ['4000000000001018', 'failed'],
  ['4000000000001042', 'failed'],
])('once verified, %s: %s', async (number, wanted) => {
  const { bank } = openBraintree();
  const nonce = await verifiedNonce(bank, await nonceOfCard(bank, number));
  expect(await readiness(accountOf('always'), nonce)).toBe(wanted);
});

const wallets = [
  'fake-paypal-billing-agreement-nonce',
  'fake-apple-pay-visa-nonce',
  'fake-android-pay-visa-nonce',
];

test('a spent, an unknown and a wallet’s nonce are for the charge to judge', async () => {
  openBraintree();
  for (const nonce of ['fake-consumed-nonce', 'nobody', ...wallets]) {
    expect(await readiness(accountOf('always'), nonce)).toBe('go');
  }
});

test('a card that Google Pay passes on as it is is verified like any', async () => {
  const { bank } = openBraintree();
  const { nonce } = makeNonce(bank, walletCard('google_pay', 'asks'));
  expect(await readiness(accountOf('europe'), nonce)).toBe('verify');
  expect(await readiness(accountOf('asked'), nonce)).toBe('go');
});

test('a saved method gets a nonce to be verified by', async () => {
  const { bank } = openBraintree();
  await gateway.charge(await orderOf('guide_899_usd'));
  const [token = ''] = Object.keys(bank.state.methods);
  const [nonce = '', bin] = (await nonceOf(accountOf('always'), token))?.split('#') ?? [];
  expect(bin).toBe('411111');
  expect(bank.state.nonces[nonce]).toMatchObject({ token, consumed: false });
  for (const wallet of wallets) {
    const order = await orderOf('guide_899_usd', wallet);
    await gateway.charge(order);
    const saved = Object.keys(bank.state.methods).at(-1) ?? '';
    expect(await nonceOf(accountOf('always'), saved)).toBe(null);
  }
  await expect(nonceOf(accountOf('always'), 'nothing')).rejects.toThrow('no nonce');
});
