import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import {
  createSubscription,
  stepKey,
} from '../../../../../worker/payments/gateways/stripe/create-subscription.ts';
import { minor } from '../../../../../worker/platform/types.ts';
import type { StripeOptions } from '../../../../fakes/stripe/server.ts';
import {
  chargeRequest,
  declinesLate,
  gateway,
  recordedStripe,
  requiresChallenge,
  statuses,
} from './stripe-fixture.ts';

const intro = 'monthly_7d_usd';

const trials: StripeOptions = { unpaidTrialStatus: 'trialing' };

const expired = { kind: 'rejected', reason: 'expired' };

const nothingPayable = { invoices: ['void'], intents: ['canceled'] };

test.each([intro, 'monthly_usd', 'guide_1799_eur'])(
  'Stripe: %s is charged once, however often it is sent',
  async (plan) => {
    const { fake } = recordedStripe();
    const request = await chargeRequest(plan, 'pm_card_visa');
    const first = await gateway.charge(request);
    expect(first).toMatchObject({
      kind: 'active',
      charge: { amount: builtInCatalog.planById(plan)?.today },
    });
    expect(await gateway.charge(request)).toEqual(first);
    expect(await gateway.lookUp(request)).toEqual(first);
    expect(await gateway.cancelUnpaid(request)).toEqual(first);
    expect(fake.captures()).toMatchObject([{ metadata: { attempt_id: request.attempt.id } }]);
  },
);

test.each([
  ['a trial that waits for its payment', {}, 'incomplete_expired'],
  ['a trial that runs unpaid', trials, 'canceled'],
] as const)(
  'Stripe: a declined intro leaves nothing active or payable: %s',
  async (_, options, end) => {
    const { fake } = recordedStripe(undefined, options);
    const request = await chargeRequest(intro, declinesLate);
    expect(await gateway.charge(request)).toMatchObject({ kind: 'declined' });
    expect(statuses(fake)).toEqual({ subscriptions: [end], ...nothingPayable });
    expect(fake.captures()).toEqual([]);
    // Repeated calls still return the decline.
    expect(await gateway.lookUp(request)).toMatchObject({ kind: 'declined' });
    expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'declined' });
    expect(statuses(fake)).toEqual({ subscriptions: [end], ...nothingPayable });
  },
);

test('Stripe: a card that cannot be attached is declined, and no subscription is created', async () => {
  const { fake } = recordedStripe();
  const request = await chargeRequest(
    'monthly_usd',
    'pm_card_visa_chargeDeclinedInsufficientFunds',
  );
  const outcome = await gateway.charge(request);
  expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'insufficient_funds' });
  expect(fake.state.subscriptions).toEqual({});
});

test.each(['monthly_usd', 'guide_1799_usd'])(
  'Stripe: a decline whose reply was lost is found, and its payment cancelled: %s',
  async (plan) => {
    let lost = 0;
    const { fake, calls } = recordedStripe((path, init) => {
      if (!path.endsWith('/confirm') || lost++ > 2) return undefined;
      return fake.fetch(`https://api.stripe.com/v1${path.slice(5)}`, init).then(() => {
        throw new TypeError('network connection lost');
      });
    });
    const request = await chargeRequest(plan, declinesLate);
    await expect(gateway.charge(request)).rejects.toThrow();
    calls.length = 0;
    const declined = await gateway.lookUp(request);
    expect(declined).toMatchObject({ kind: 'declined' });
    // A look-up only reads.
    expect(calls.filter(({ path }) => !path.startsWith('GET '))).toEqual([]);
    expect(await gateway.cancelUnpaid(request)).toEqual(declined);
    expect(statuses(fake).intents).toEqual(['canceled']);
  },
);

test.each(['monthly_usd', 'guide_899_eur'])(
  'Stripe: an attempt that was never sent has expired: %s',
  async (plan) => {
    recordedStripe();
    const request = await chargeRequest(plan, 'pm_card_visa');
    expect(await gateway.lookUp(request)).toEqual({ kind: 'none' });
    expect(await gateway.cancelUnpaid(request)).toEqual(expired);
  },
);

test.each([
  ['monthly_usd', {}, ['incomplete_expired']],
  [intro, trials, ['canceled']],
  ['guide_1799_usd', {}, []],
] as const)('Stripe: an unanswered challenge is cancelled: %s', async (plan, options, end) => {
  const { fake } = recordedStripe(undefined, options);
  const request = await chargeRequest(plan, requiresChallenge);
  const challenge = await gateway.charge(request);
  expect(challenge).toMatchObject({
    kind: 'challenge',
    secret: expect.stringContaining('_secret_'),
  });
  expect(await gateway.lookUp(request)).toEqual(challenge);
  expect(await gateway.cancelUnpaid(request)).toEqual(expired);
  const { subscriptions, intents } = statuses(fake);
  expect([subscriptions, intents]).toEqual([[...end], ['canceled']]);
  // Repeated, as the reply may have been lost.
  expect(await gateway.cancelUnpaid(request)).toEqual({ kind: 'rejected', reason: 'canceled' });
});

test.each(['monthly_usd', intro])(
  'Stripe: a payment that succeeded meanwhile is active, and not cancelled: %s',
  async (plan) => {
    const { fake, calls } = recordedStripe(undefined, trials);
    const request = await chargeRequest(plan, requiresChallenge);
    const challenge = await gateway.charge(request);
    if (challenge.kind !== 'challenge') throw new Error(challenge.kind);
    fake.challenge(challenge.paymentId ?? '', 'authenticated');
    expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'active' });
    expect(calls.some(({ path }) => /void|cancel|DELETE/.test(path))).toBe(false);
  },
);

test('Stripe: a one-time payment whose payer is verified during its cancellation is not charged', async () => {
  let paymentId = '';
  const { fake } = recordedStripe((path) => {
    if (paymentId && path.endsWith('/cancel')) fake.challenge(paymentId, 'authenticated');
    return undefined;
  });
  const request = await chargeRequest('guide_1799_usd', requiresChallenge);
  const challenge = await gateway.charge(request);
  if (challenge.kind === 'challenge') paymentId = challenge.paymentId ?? '';
  expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'rejected' });
  expect(fake.captures()).toEqual([]);
});

test.each(['monthly_usd', intro])(
  'Stripe: a payment that succeeds during its cancellation stays paid: %s',
  async (plan) => {
    let paymentId = '';
    const { fake } = recordedStripe((path) => {
      if (paymentId && /\/(void|cancel)$/.test(path)) {
        fake.challenge(paymentId, 'authenticated');
        paymentId = '';
      }
      return undefined;
    }, trials);
    const request = await chargeRequest(plan, requiresChallenge);
    const challenge = await gateway.charge(request);
    if (challenge.kind === 'challenge') paymentId = challenge.paymentId ?? '';
    await expect(gateway.cancelUnpaid(request)).rejects.toThrow();
    expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'active' });
    expect(fake.captures()).toHaveLength(1);
    expect(statuses(fake).subscriptions).not.toContain('canceled');
  },
);

const busy = () =>
  Response.json(
    { error: { type: 'invalid_request_error', code: 'idempotency_key_in_use', message: 'in use' } },
    { status: 409 },
  );

test('Stripe: an idempotency key in use is not definite: the charge may be under way', async () => {
  let refused = 0;
  const { fake } = recordedStripe(async (path) =>
    path.endsWith('/confirm') && refused++ < 3 ? busy() : undefined,
  );
  const request = await chargeRequest('monthly_usd', 'pm_card_visa');
  await expect(gateway.charge(request)).rejects.toThrow('in use');
  expect(statuses(fake).invoices).toEqual(['open']);
  expect(await gateway.charge(request)).toMatchObject({ kind: 'active' });
  expect(fake.captures()).toHaveLength(1);
});

const keyReused = () =>
  Response.json(
    { error: { type: 'idempotency_error', message: 'other parameters' } },
    { status: 400 },
  );

test.each([
  ['monthly_usd', '/subscriptions'],
  ['guide_1799_usd', '/payment_intents'],
])(
  'Stripe: a key that was used with other parameters ends an attempt that made nothing: %s',
  async (plan, path) => {
    const { fake } = recordedStripe(async (call) =>
      call === `POST ${path}` ? keyReused() : undefined,
    );
    const request = await chargeRequest(plan, 'pm_card_visa');
    expect(await gateway.charge(request)).toEqual({
      kind: 'rejected',
      reason: 'idempotency_error',
    });
    expect(fake.captures()).toEqual([]);
  },
);

test.each([
  ['monthly_usd', '/subscriptions'],
  ['guide_1799_usd', '/payment_intents'],
  ['monthly_usd', 'confirm'],
])('Stripe: an earlier call under such a key counts: %s, %s', async (plan, path) => {
  let isReused = false;
  const { fake } = recordedStripe(async (call) =>
    isReused && (call === `POST ${path}` || call.endsWith(`/${path}`)) ? keyReused() : undefined,
  );
  const request = await chargeRequest(plan, 'pm_card_visa');
  expect(await gateway.charge(request)).toMatchObject({ kind: 'active' });
  isReused = true;
  expect(await gateway.charge(request)).toMatchObject({ kind: 'active' });
  expect(fake.captures()).toHaveLength(1);
});

test('Stripe: a confirmation whose key was used with other parameters leaves nothing to pay', async () => {
  const { fake } = recordedStripe(async (call) =>
    call.endsWith('/confirm') ? keyReused() : undefined,
  );
  const request = await chargeRequest('monthly_usd', 'pm_card_visa');
  expect(await gateway.charge(request)).toEqual({ kind: 'rejected', reason: 'idempotency_error' });
  expect(statuses(fake)).toMatchObject({ invoices: ['void'], intents: ['canceled'] });
});

test('Stripe: an intent whose amount was changed is rejected', async () => {
  const { fake } = recordedStripe();
  const request = await chargeRequest('guide_1799_usd', requiresChallenge);
  await gateway.charge(request);
  const [intent] = Object.values(fake.state.payment_intents);
  if (intent) intent.amount = 100;
  expect(await gateway.lookUp(request)).toEqual({ kind: 'rejected', reason: 'foreign intent' });
  expect(await gateway.cancelUnpaid(request)).toEqual({
    kind: 'rejected',
    reason: 'foreign intent',
  });
  expect(statuses(fake).intents).toEqual(['canceled']);
});

test.each([
  ['a challenge', requiresChallenge, 'cancelUnpaid'],
  ['a decline', declinesLate, 'charge'],
  ['a decline, looked up', declinesLate, 'cancelUnpaid'],
] as const)(
  'Stripe: a cancellation that stopped half way is finished by the next call: %s',
  async (...one) => {
    const [, nonce, again] = one;
    let lost = 0;
    const { fake } = recordedStripe(
      async (path) => {
        if (!path.startsWith('DELETE') || lost++ > 0) return undefined;
        // Not a lost connection, which the client would retry by itself.
        return Response.json({ error: { type: 'authentication_error' } }, { status: 401 });
      },
      { unpaidTrialStatus: 'trialing' },
    );
    const request = await chargeRequest('monthly_7d_usd', nonce);
    const first = nonce === requiresChallenge ? 'cancelUnpaid' : 'charge';
    if (nonce === requiresChallenge) await gateway.charge(request);
    await expect(gateway[first](request)).rejects.toThrow();
    expect(statuses(fake)).toEqual({
      subscriptions: ['trialing'],
      invoices: ['void'],
      intents: ['canceled'],
    });
    const kind = nonce === requiresChallenge ? 'rejected' : 'declined';
    expect(await gateway.lookUp(request)).toMatchObject({ kind });
    expect(await gateway[again](request)).toMatchObject({ kind });
    expect(statuses(fake)).toEqual({
      subscriptions: ['canceled'],
      invoices: ['void'],
      intents: ['canceled'],
    });
  },
);

test('Stripe: a payment of another amount is rejected and reported, and does not renew', async () => {
  const { fake } = recordedStripe();
  const request = await chargeRequest('monthly_usd', 'pm_card_visa');
  await gateway.charge(request);
  const [intent] = Object.values(fake.state.payment_intents);
  const other = { ...request, attempt: { ...request.attempt, amount: minor(100) } };
  expect(await gateway.cancelUnpaid(other)).toEqual({
    kind: 'rejected',
    reason: 'foreign intent',
    keptCapture: { paymentId: intent?.id, amount: 3999 },
  });
  expect(statuses(fake).subscriptions).toEqual(['canceled']);
});

const account = {
  stripe: stripeClient(env),
  product: env.STRIPE_PRODUCT ?? '',
  prices: {},
  offers: {},
  taxed: false,
};

/** Creates the objects of an attempt, with a card attached to the customer. */
async function create(plan: string, change = {}) {
  const { fake } = recordedStripe();
  const request = await chargeRequest(plan, 'pm_card_visa', change);
  const { id: method } = await account.stripe.paymentMethods.attach('pm_card_visa', {
    customer: request.customerId,
  });
  const made = await createSubscription(account, request, method);
  const subscription = fake.state.subscriptions[made.subscriptionId ?? ''];
  return {
    fake,
    order: request,
    made,
    intent: fake.state.payment_intents[made.paymentId],
    subscription,
    again: () => createSubscription(account, request, method),
  };
}

test('Stripe subscription: created unpaid, with the catalog’s amounts and our metadata', async () => {
  const { order: request, intent, subscription } = await create('monthly_7d_eur', { amount: 699 });
  expect(intent).toMatchObject({
    amount: 699,
    currency: 'eur',
    status: 'requires_confirmation',
  });
  expect(subscription).toMatchObject({
    description: 'Monthly plan, 7-day intro',
    metadata: { attempt_id: request.attempt.id, account: request.account, plan: 'monthly_7d_eur' },
  });
  expect(subscription?.items.data[0]?.price).toMatchObject({
    unit_amount: 3999,
    recurring: { interval: 'month', interval_count: 1 },
  });
});

test('Stripe subscription: a coupon lowers the first invoice, not the price', async () => {
  const { intent, subscription } = await create('quarterly_usd', { amount: 4999 });
  expect(intent?.amount).toBe(4999);
  expect(subscription?.items.data[0]?.price).toMatchObject({ unit_amount: 5999 });
});

test('Stripe subscription: step keys derive from the attempt; an unknown plan throws', async () => {
  recordedStripe();
  const request = await chargeRequest('monthly_usd', 'pm_card_visa');
  expect(stepKey(request, 'pay')).toEqual({ idempotencyKey: `${request.attempt.id}:pay` });
});
