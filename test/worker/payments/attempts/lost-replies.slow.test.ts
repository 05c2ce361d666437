import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { planById } from '../../../../worker/catalog/rules/plans.ts';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { Attempt, GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { approved, declining } from '../../../fakes/test-nonces.ts';
import { seeded } from '../../../seeded-random.ts';
import {
  awaitResult,
  buy,
  buyer,
  scaled,
  startPurchase,
  stubGateways,
  unrefunded,
} from '../payments-fixture.ts';
import { payers } from './provider-side.ts';

type Fakes = ReturnType<typeof stubGateways>;
type Stub = ReturnType<typeof buyer>['stub'];

/** A buyer whose bank challenges them, and who responds. */
async function buyWithChallenge(stub: Stub, purchase: Purchase, fakes: Fakes): Promise<Attempt> {
  const nonce = await payers[purchase.gateway].nonce(fakes);
  const challenged = await buy(stub, { ...purchase, nonce });
  if (challenged.state !== 'challenged') return challenged;
  const back = await payers[purchase.gateway].answer(fakes, challenged, 'authenticated');
  await startPurchase(stub, { ...purchase, nonce, ...back });
  return awaitResult(stub, challenged.pollingId);
}

/** A new card, because a card and a mailbox have one intro. */
async function freshCard({ stripe }: Fakes): Promise<string> {
  const made = await stripe.fetch('https://api.stripe.com/v1/payment_methods', {
    method: 'POST',
    headers: { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` },
    body: new URLSearchParams({ type: 'card', 'card[token]': 'tok_visa' }),
  });
  const { id } = (await made.json()) as { id: string };
  const card = stripe.state.payment_methods[id]?.card;
  if (!card) throw new Error(`no card ${id}`);
  card.fingerprint = id;
  return id;
}

/** Buys an intro. */
async function buyIntro(stub: Stub, purchase: Purchase, fakes: Fakes): Promise<Attempt> {
  const nonce = await freshCard(fakes);
  return buy(stub, { ...purchase, plan: 'monthly_7d_usd', nonce });
}

type Scenario = (stub: Stub, purchase: Purchase, fakes: Fakes) => Promise<Attempt>;

const scenarios: [end: Attempt['state'], scenario: Scenario][] = [
  ['active', buy],
  ['declined', (stub, purchase) => buy(stub, { ...purchase, nonce: declining[purchase.gateway] })],
  ['active', buyWithChallenge],
  ['active', buyIntro],
];
/** After this many polls without a final result, the remaining attempts wait for minutes. */
const maxPolls = 200;

/** Advances the clock for waiting attempts: runs their earliest alarm at its own time. */
async function passTime(waiting: ReadonlySet<Stub>): Promise<void> {
  let [left, polls] = [waiting.size, 0];
  while (waiting.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    polls = waiting.size === left ? polls + 1 : Math.min(polls, maxPolls - 5);
    left = waiting.size;
    if (polls < maxPolls) continue;
    const alarms = await Promise.all(
      [...waiting].map(async (stub) => {
        const at = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
        return { stub, at: at ?? Number.POSITIVE_INFINITY };
      }),
    );
    const [next] = alarms.sort((a, b) => a.at - b.at);
    if (!next || !Number.isFinite(next.at)) continue;
    vi.setSystemTime(Math.max(Date.now(), next.at));
    await runDurableObjectAlarm(next.stub);
  }
}

/** At Braintree a sale without a reply is looked up by the minute: `braintree-faults.slow.test.ts`. */
const gateways: GatewayName[] = ['stripe'];
/** The worst connection is tested in the full run only. */
const lines: [rate: number, jobs: number][] = env.FULL
  ? [
      [0.4, 1000],
      [0.7, 300],
    ]
  : [[0.4, 400]];
const cases = lines.flatMap(([rate, count]) =>
  gateways.map((gateway) => [gateway, rate, count / gateways.length] as const),
);

test.each(cases)(
  'lost replies: %s with a share of %d of all calls lost charges each purchase once',
  { timeout: 1_800_000 },
  async (gateway, rate, count) => {
    const fakes = stubGateways({ faults: { rate, random: seeded(count * rate) } });
    const waiting = new Set<Stub>();
    const jobs = Array.from({ length: scaled(count) }, async (_, i) => {
      const [end, scenario] = scenarios[i % scenarios.length] ?? ['active', buy];
      const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
      waiting.add(stub);
      const attempt = await scenario(stub, purchase, fakes);
      waiting.delete(stub);
      return { end, attempt };
    });
    const [results] = await Promise.all([Promise.all(jobs), passTime(waiting)]);
    // None is stuck, none is left over, none was charged twice.
    expect(results.map(({ attempt }) => attempt.state)).toEqual(results.map(({ end }) => end));
    const sold = results.filter(({ end }) => end === 'active').map(({ attempt }) => attempt);
    const sums = sold.map(({ id, plan }) => [id, planById(plan)?.today]);
    const captured = unrefunded(fakes.captured()).map(({ attempt, amount }) => [attempt, amount]);
    expect(captured.sort()).toEqual(sums.sort());
  },
);
