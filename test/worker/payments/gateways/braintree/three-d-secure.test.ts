import { env } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/client.ts';
import {
  chargeReadiness,
  createVerificationNonce,
} from '../../../../../worker/payments/gateways/braintree/three-d-secure.ts';
import type { ChargeRequest } from '../../../../../worker/payments/purchase/gateway.ts';
import type { Attempt } from '../../../../../worker/payments/purchase/state.ts';
import { minor } from '../../../../../worker/platform/types.ts';
import { walletCard } from '../../../../fakes/braintree/cards.ts';
import { makeNonce } from '../../../../fakes/braintree/vault.ts';
import { paymentOf } from '../../../../payment-of.ts';
import { attemptId, planNamed } from '../../attempts/attempt-fixture.ts';
import {
  chargeRequest,
  gateway,
  nonceOfCard,
  stubBraintree,
  verifiedNonce,
  withNonce,
} from './braintree-fixture.ts';

const accountOf = (BRAINTREE_THREE_D_SECURE: string) =>
  braintreeCredentials({ ...env, BRAINTREE_THREE_D_SECURE });

test.each([
  ['europe', '4111111111111111', 'go'],
  ['europe', '4000000000001000', 'verify'],
  ['always', '4111111111111111', 'verify'],
  ['on_request', '4000000000001000', 'go'],
])(
  '3-D Secure at Braintree: under the rule %s the card %s is to %s',
  async (rule, number, wanted) => {
    const { fake } = stubBraintree();
    expect(await chargeReadiness(accountOf(rule), await nonceOfCard(fake, number))).toBe(wanted);
  },
);

test.each([
  ['4000000000001000', 'go'],
  ['4000000000001026', 'go'],
  ['4000000000001018', 'failed'],
  ['4000000000001042', 'failed'],
])('3-D Secure at Braintree: after verification the card %s is to %s', async (number, wanted) => {
  const { fake } = stubBraintree();
  const nonce = await verifiedNonce(fake, await nonceOfCard(fake, number));
  expect(await chargeReadiness(accountOf('always'), nonce)).toBe(wanted);
});

const wallets = [
  'fake-paypal-billing-agreement-nonce',
  'fake-apple-pay-visa-nonce',
  'fake-android-pay-visa-nonce',
];

test('3-D Secure at Braintree: a consumed, an unknown and a wallet’s nonce need no verification', async () => {
  stubBraintree();
  for (const nonce of ['fake-consumed-nonce', 'nobody', ...wallets])
    expect(await chargeReadiness(accountOf('always'), nonce)).toBe('go');
});

test('3-D Secure at Braintree: a card number that Google Pay passes on is verified like a typed one', async () => {
  const { nonce } = makeNonce(stubBraintree().fake, walletCard('google_pay', 'asks'));
  expect(await chargeReadiness(accountOf('europe'), nonce)).toBe('verify');
  expect(await chargeReadiness(accountOf('on_request'), nonce)).toBe('go');
});

test('3-D Secure at Braintree: a saved card gets a nonce for verification, a saved wallet none', async () => {
  const { fake } = stubBraintree();
  await gateway.charge(await chargeRequest('guide_899_usd'));
  const [token = ''] = Object.keys(fake.state.methods);
  const [nonce = '', bin] =
    (await createVerificationNonce(accountOf('always'), token))?.split('#') ?? [];
  expect(bin).toBe('411111');
  expect(fake.state.nonces[nonce]).toMatchObject({ token, consumed: false });
  for (const wallet of wallets) {
    await gateway.charge(await chargeRequest('guide_899_usd', wallet));
    const saved = Object.keys(fake.state.methods).at(-1) ?? '';
    expect(await createVerificationNonce(accountOf('always'), saved)).toBe(null);
  }
  await expect(createVerificationNonce(accountOf('always'), 'nothing')).rejects.toThrow('no nonce');
});

const intro = 'monthly_7d_usd';

const expired = { kind: 'rejected', reason: 'expired' };

test('Braintree challenge: a European card is verified before the charge', async () => {
  const { fake } = stubBraintree();
  const nonce = await nonceOfCard(fake, '4000000000001000');
  const request = await chargeRequest(intro, nonce);
  expect(await gateway.charge(request)).toEqual({
    kind: 'challenge',
    paymentId: null,
    secret: nonce,
  });
  expect(fake.captures()).toEqual([]);
  const again = withNonce(request, await verifiedNonce(fake, nonce));
  expect(await gateway.charge(again)).toMatchObject({ kind: 'active', charge: { amount: 699 } });
  expect(fake.captures()).toHaveLength(1);
});

test('Braintree challenge: a payer whom the bank could not confirm is declined, whatever the browser sends', async () => {
  const { fake } = stubBraintree();
  const nonce = await nonceOfCard(fake, '4000000000001018');
  const request = await chargeRequest(intro, nonce);
  await gateway.charge(request);
  expect(await gateway.charge(withNonce(request, await verifiedNonce(fake, nonce)))).toMatchObject({
    kind: 'declined',
    declineCode: 'authentication_failed',
  });
  expect(fake.captures()).toEqual([]);
});

test('Braintree challenge: after a soft decline a verified nonce is charged, once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const clicked = Date.now();
  const { fake } = stubBraintree();
  const request = await chargeRequest('monthly_usd', await nonceOfCard(fake, '4111111111111111'));
  // A soft decline by the issuer; the sandbox returns it only for an amount that no plan has.
  const declineFirst = (token: string) => fake.decline(token, '2099');
  const main = await gateway.charge(request);
  const methodId = main.kind === 'active' ? main.charge.methodId : '';
  declineFirst(Object.keys(fake.state.methods)[0] ?? '');
  const upsell = {
    ...request,
    methodId,
    attempt: {
      ...request.attempt,
      id: attemptId(),
      plan: planNamed('upsell_monthly_799_usd'),
      amount: minor(799),
      nonce: null,
      paymentId: null,
      state: 'open' as const,
    },
  };
  const challenge = await gateway.charge(upsell);
  expect(challenge).toMatchObject({
    kind: 'challenge',
    secret: expect.stringMatching(/^tokencc/),
  });
  const [nonce = '', bin] = (challenge.kind === 'challenge' ? challenge.secret : '').split('#');
  expect(bin).toBe('411111');
  vi.setSystemTime(Date.now() + 11 * 60_000);
  const challenged = { ...upsell, attempt: { ...upsell.attempt, state: 'challenged' as const } };
  expect(await gateway.cancelUnpaid(challenged)).toEqual(expired);
  vi.setSystemTime(clicked);
  const foreign = withNonce(upsell, await nonceOfCard(fake, '4005519200000004'));
  const swapped = { ...foreign, attempt: { ...foreign.attempt, challengedNonce: nonce } };
  expect(await gateway.charge(swapped)).toMatchObject({ declineCode: 'authentication_failed' });
  expect(fake.captures()).toHaveLength(1);
  const verified = withNonce(upsell, await verifiedNonce(fake, nonce));
  // The bank requires another challenge although the payer is verified, but there is no third round.
  expect(await gateway.charge(verified)).toMatchObject({ kind: 'declined' });
  expect(fake.captures()).toHaveLength(1);
});

const day = 24 * 60 * 60_000;

const deviceData = '{"correlation_id":"a session"}';

describe.each(['apple_pay', 'google_pay', 'paypal'] as const)('Braintree wallets: %s', (kind) => {
  async function buyPlan() {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) });
    const { fake } = stubBraintree();
    const { nonce } = makeNonce(fake, walletCard(kind, 'approves'));
    const before = await chargeRequest('monthly_7d_usd', nonce, { deviceData });
    const outcome = await gateway.charge(before);
    if (outcome.kind !== 'active') throw new Error(JSON.stringify(outcome));
    const { charge } = outcome;
    const request: ChargeRequest = {
      ...before,
      attempt: { ...before.attempt, state: 'active', charge },
    };
    return { fake, order: request, charge };
  }
  const upsell = ({ attempt, ...order }: ChargeRequest, methodId: string): ChargeRequest => {
    const { charge: _, ...rest } = attempt;
    const id = attemptId();
    const plan = planNamed('upsell_monthly_799_usd');
    const next: Attempt = { ...rest, id, plan, amount: minor(799), nonce: null, charge: null };
    return { ...order, methodId, attempt: next };
  };

  test('the payment has the device data, the renewal charges the saved method', async () => {
    const { fake, order: request, charge } = await buyPlan();
    expect(fake.state.transactions[paymentOf(charge)]).toMatchObject({
      deviceData,
      card: { kind },
    });
    vi.setSystemTime(Date.now() + 8 * day);
    await fake.passTime();
    const { status, captures } = await gateway.statement(request);
    expect([status, captures.map(({ amount }) => amount)]).toEqual(['active', [699, 3999]]);
  });

  test('an upsell is charged by one tap; one that needs a challenge is declined', async () => {
    const { fake, order: request, charge } = await buyPlan();
    const first = await gateway.charge(upsell(request, charge.methodId));
    expect(first).toMatchObject({ kind: 'active', charge: { amount: 799 } });
    const [token = ''] = Object.keys(fake.state.methods);
    fake.decline(token, '2099');
    const second = await gateway.charge(upsell(request, charge.methodId));
    expect(second).toMatchObject({ kind: 'declined', declineCode: 'authentication_failed' });
    expect(fake.captures().map(({ amount }) => amount)).toEqual([699, 799]);
  });

  test('a decline looks like a card’s, and nothing is stored', async () => {
    const { fake } = stubBraintree();
    const { nonce } = makeNonce(fake, walletCard(kind, 'declines'));
    const request = await chargeRequest('monthly_7d_usd', nonce);
    expect(await gateway.charge(request)).toMatchObject({
      kind: 'declined',
      declineCode: 'generic_decline',
    });
    expect([fake.captures(), Object.keys(fake.state.methods)]).toEqual([[], []]);
  });
});
