import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { planById } from '../../../../worker/catalog/rules/plans.ts';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { Attempt } from '../../../../worker/payments/purchase/state.ts';
import type { PaymentId } from '../../../../worker/platform/types.ts';
import { minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { withFaults } from '../../../fakes/faults.ts';
import { seeded } from '../../../seeded-random.ts';
import { shortenTimers } from '../../faults/faulty-binding.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import { buyer, dayMs, scaled, stubGateways } from '../payments-fixture.ts';
import { shownTerms } from './attempt-fixture.ts';
import { type DrivenObject, driveObject } from './driven-object.ts';
import { challengedCard, payers } from './provider-side.ts';

beforeEach(() => {
  shortenTimers(1000);
  vi.useFakeTimers({ toFake: ['Date'] });
});

const gateway = 'braintree';
const upsell = { plan: 'upsell_monthly_799_usd', nonce: null } as const;

/** Outcomes of a call on a faulty connection, by the number that `withFaults` draws. */
const faultDraws = {
  'never arrives': 0,
  'is done, and its reply lost': 0.4,
  'is answered 500': 0.8,
};
type FaultKind = keyof typeof faultDraws;

interface Context {
  driven: DrivenObject;
  purchase: Purchase;
  fakes: ReturnType<typeof stubGateways>;
  /** Breaks the connection from a call on, for this many calls. */
  lose(first: number, count: number, kind: FaultKind): void;
  /** The number of calls since the connection was broken. */
  calls(): number;
}

/** A buyer's object, and a Braintree fake with a connection that the test breaks. */
async function withBreakableConnection<T>(use: (context: Context) => Promise<T>): Promise<T> {
  let broken = { first: Number.POSITIVE_INFINITY, count: 0, kind: 'never arrives' as FaultKind };
  let calls = 0;
  let random = () => 1;
  const fakes = stubGateways({
    wrap: (next) => {
      const faulty = withFaults(next, { rate: 0.9, random: () => random() });
      return (input, init) => {
        calls += 1;
        const bad = calls >= broken.first && calls < broken.first + broken.count;
        const draws = bad ? [0, faultDraws[broken.kind]] : [1];
        random = () => draws.shift() ?? 1;
        return faulty(input, init);
      };
    },
  });
  const nonce = await nonceOfCard(fakes.braintree, '4111111111111111');
  const { stub, purchase } = buyer({ gateway, nonce });
  return driveObject(stub, (driven) =>
    use({
      driven,
      purchase,
      fakes,
      lose(first, count, kind) {
        calls = 0;
        broken = { first, count, kind };
      },
      calls: () => calls,
    }),
  );
}

/** The attempt was charged once, or definitely not. */
function expectDefinite({ fakes }: Context, { id, state, amount }: Attempt) {
  const mine = fakes.captured().filter(({ attempt }) => attempt === id);
  expect(mine).toMatchObject(state === 'active' ? [{ amount, refunded: 0 }] : []);
  expect(['active', 'failed']).toContain(state);
  const running = Object.values(fakes.braintree.state.subscriptions).map((one) => one.id);
  expect(running.includes(id)).toBe(state === 'active');
}

/** Refunds until the result is definite, as an operator does. */
async function refundUntilDefinite(
  { driven }: Context,
  payment: PaymentId,
  amount: number,
): Promise<void> {
  for (;;) {
    const answer = await driven.run((object) => object.refund(payment, minor(amount), 'key'));
    if (answer.kind === 'refunded') return;
    expect(answer).toEqual({ kind: 'refused', refusal: 'gateway_ambiguous' });
    vi.setSystemTime(Date.now() + 60_000);
  }
}

const buyPlan = async ({ driven, purchase }: Context) => {
  const attempt = await driven.buy(purchase);
  expect(attempt.state).toBe('active');
  return attempt.charge?.paymentId ?? paymentIdOf('');
};

type Scenario = (context: Context, breakConnection: () => void) => Promise<void>;

const scenarios: Record<string, Scenario> = {
  async 'a sale by nonce'(open, breakConnection) {
    breakConnection();
    expectDefinite(open, await open.driven.buy(open.purchase));
  },
  async 'a sale on the saved card'(open, breakConnection) {
    await buyPlan(open);
    breakConnection();
    const { pollingId } = await open.driven.buy({ ...open.purchase, ...upsell });
    // A saved card that may have been charged is looked up all day.
    for (let lookUp = 0; lookUp < 3; lookUp += 1) {
      vi.setSystemTime(Date.now() + dayMs / 3);
      await open.driven.runDueAlarms();
    }
    expectDefinite(open, open.driven.attempt(pollingId));
  },
  async 'a sale that the bank asks about'(open, breakConnection) {
    const { driven, purchase, fakes } = open;
    const nonce = await nonceOfCard(fakes.braintree, challengedCard);
    const id = await driven.startPurchase({ ...purchase, nonce });
    await driven.run((object) => object.alarm());
    const back = await payers.braintree.answer(fakes, driven.attempt(id), 'authenticated');
    breakConnection();
    await driven.run((object) => object.buy({ ...purchase, nonce, ...back }));
    await driven.runDueAlarms();
    expectDefinite(open, driven.attempt(id));
  },
  async 'a refund of a part'(open, breakConnection) {
    const payment = await buyPlan(open);
    vi.setSystemTime(Date.now() + 2 * dayMs);
    breakConnection();
    await refundUntilDefinite(open, payment, 1000);
    expect(open.fakes.captured()).toMatchObject([{ refunded: 1000 }]);
  },
  async 'a refund that is repeated a month later'(open, breakConnection) {
    const payment = await buyPlan(open);
    vi.setSystemTime(Date.now() + 2 * dayMs);
    breakConnection();
    await open.driven.run((object) => object.refund(payment, minor(1000), 'key'));
    vi.setSystemTime(Date.now() + 31 * dayMs);
    await refundUntilDefinite(open, payment, 1000);
    expect(open.fakes.captured().filter(({ refunded: back }) => back > 0)).toMatchObject([
      { refunded: 1000 },
    ]);
  },
  async 'a withdrawal'(open, breakConnection) {
    const { driven, purchase, fakes } = open;
    const { id } = await driven.buy({ ...purchase, terms: shownTerms() });
    vi.setSystemTime(Date.now() + 2 * dayMs);
    breakConnection();
    await driven.run((object) => object.withdraw(id));
    await driven.runDueAlarms();
    await driven.runDueAlarms();
    expect(fakes.captured()).toMatchObject([{ amount: 3999, refunded: 3999 }]);
  },
};

const cases = Object.keys(scenarios).flatMap((name) =>
  (Object.keys(faultDraws) as FaultKind[]).map((kind) => [name, kind] as const),
);

test.each(cases)(
  'Braintree faults: %s, and any call that %s: charged once, or definitely not',
  { timeout: 600_000 },
  async (name, kind) => {
    const scenario = scenarios[name] as Scenario;
    // With three lost calls in a row even a retried one has no reply.
    for (const count of env.FULL ? [1, 2, 3, 6] : [1, 3]) {
      for (let first = 1, seen = first; first <= seen; first += env.FULL ? 1 : 4) {
        await withBreakableConnection(async (open) => {
          await scenario(open, () => open.lose(first, count, kind));
          // Looking up all day makes hundreds of calls, of which only the first differ.
          seen = Math.max(seen, env.FULL ? open.calls() : Math.min(20, open.calls()));
        });
      }
    }
  },
);

test.each([0.4])(
  'Braintree faults: with a share of %d of all calls lost each purchase is charged once or definitely not',
  { timeout: 1_800_000 },
  async (rate) => {
    const fakes = stubGateways({ faults: { rate, random: seeded(rate) } });
    const sold: unknown[] = [];
    for (let round = 0; round < scaled(100); round += 1) {
      const plan = round % 2 === 0 ? 'monthly_usd' : 'monthly_7d_usd';
      const nonce = await nonceOfCard(fakes.braintree, '4111111111111111');
      const { stub, purchase } = buyer({ gateway, nonce, plan });
      const attempt = await driveObject(stub, (driven) => driven.buy(purchase));
      expect(['active', 'failed']).toContain(attempt.state);
      if (attempt.state === 'active') sold.push([attempt.id, planById(plan)?.today]);
    }
    expect(sold.length).toBeGreaterThan(0);
    expect(fakes.captured().map(({ attempt, amount }) => [attempt, amount])).toEqual(sold);
  },
);
