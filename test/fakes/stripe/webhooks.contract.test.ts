import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { planOf } from '../../../worker/catalog/plans.ts';
import { buyPlan, harness, numbers } from './harness.ts';
import { type WebhookOptions, webhooks } from './webhooks.ts';

const secret = 'whsec_contract';

/** A month of one subscription, sent to an endpoint that verifies with the official client. */
async function told(more: Partial<WebhookOptions> = {}) {
  const events: Stripe.Event[] = [];
  const clock = { now: () => 0 };
  const line = webhooks({
    secret,
    url: 'https://funnel.example/api/v1/webhooks/stripe',
    now: () => clock.now(),
    random: numbers(0.9),
    handle: async (request) => {
      const signature = request.headers.get('stripe-signature') ?? '';
      const body = await request.text();
      const provider = Stripe.createSubtleCryptoProvider();
      const event = await Stripe.webhooks.constructEventAsync(
        body,
        signature,
        secret,
        undefined,
        provider,
        clock.now(),
      );
      events.push(event);
      return new Response(null, { status: 200 });
    },
    ...more,
  });
  const on = await harness({ onEvent: line.onEvent });
  clock.now = on.clock.now;
  await buyPlan(on, planOf('monthly', 'USD'));
  on.clock.until(on.clock.now() + 32 * 86_400_000);
  return { ...on, line, events };
}

const ids = (events: { id: string }[]) => events.map(({ id }) => id);

test('Stripe fake: the official client verifies every event, in order', async () => {
  const { line, events, fake } = await told();
  expect(await line.flush()).toBe(0);
  expect(ids(events)).toEqual(ids(Object.values(fake.state.events)));
  expect(events.filter(({ type }) => type === 'invoice.paid')).toHaveLength(2);
  expect(await line.flush()).toBe(0);
  expect(events).toHaveLength(Object.keys(fake.state.events).length);
});

test('Stripe fake: a refused event is retried', async () => {
  const taken: string[] = [];
  let answers = 0;
  const { line, fake } = await told({
    handle: async (request) => {
      answers += 1;
      if (answers % 3 === 0) throw new Error('down');
      if (answers % 3 === 1) return new Response(null, { status: 503 });
      taken.push((await request.json()).id);
      return new Response(null, { status: 204 });
    },
  });
  expect(await line.flush()).toBeGreaterThan(5);
  while ((await line.flush()) > 0);
  expect(taken.sort()).toEqual(ids(Object.values(fake.state.events)).sort());
});

test('Stripe fake: events are duplicated, reordered or dropped as configured', async () => {
  const twice = await told({ duplicate: 1 });
  await twice.line.flush();
  expect(twice.events).toHaveLength(2 * new Set(ids(twice.events)).size);
  const mixed = await told({ shuffle: true });
  await mixed.line.flush();
  const all = ids(Object.values(mixed.fake.state.events));
  expect(ids(mixed.events)).not.toEqual(all);
  expect(ids(mixed.events).sort()).toEqual(all.sort());
  const never = await told({ drop: 1 });
  expect(await never.line.flush()).toBe(0);
  expect(never.events).toEqual([]);
});
