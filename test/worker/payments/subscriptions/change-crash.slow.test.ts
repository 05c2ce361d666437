import { expect, test } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import type { DrivenObject } from '../attempts/driven-object.ts';
import { dayMs, gateways, remainingAmounts } from '../payments-fixture.ts';
import {
  buyPlan,
  type changeRequest,
  makeChange,
  ownedIn,
  runAlarmsUntil,
} from './change-helpers.ts';
import {
  type ChangeFaults,
  crashAtAnyAwait,
  liveSubscriptions,
  loseReplies,
  runChange,
  start,
} from './faulty-change.ts';

type ChangeFields = Parameters<typeof changeRequest>[0];

/** Requests it until it is done: at Braintree a sale that never arrived is not sent again. */
async function changed(driven: DrivenObject, id: AttemptId, wanted: ChangeFields) {
  for (let tries = 0; tries < 20; tries += 1) {
    const made = await makeChange(driven, id, wanted);
    if (made.state === 'done') return made;
    expect([made.state, made.kind]).toEqual(['failed', wanted.kind]);
  }
  throw new Error(`${wanted.kind} never succeeded`);
}

interface Scenario {
  plan: string;
  wanted: ChangeFields;
  /** Days after the purchase, or after the previous step. */
  after: number;
  before?: ChangeFields;
  /** Payments within the following ninety days. */
  renewals: number[];
}

const scenarios: Record<string, Scenario> = {
  'an upgrade': {
    plan: 'monthly_usd',
    wanted: { kind: 'upgrade', plan: 'quarterly_usd' },
    after: 1,
    renewals: [],
  },
  'a downgrade': {
    plan: 'quarterly_usd',
    wanted: { kind: 'switch', plan: 'monthly_usd' },
    after: 1,
    renewals: [3999],
  },
  'a downgrade, taken back': {
    plan: 'quarterly_usd',
    before: { kind: 'switch', plan: 'monthly_usd' },
    wanted: { kind: 'continue' },
    after: 1,
    renewals: [5999],
  },
  'a pause': {
    plan: 'monthly_usd',
    wanted: { kind: 'pause', months: 2 },
    after: 1,
    renewals: [3999],
  },
  'a pause, ended while it runs': {
    plan: 'monthly_usd',
    before: { kind: 'pause', months: 3 },
    wanted: { kind: 'resume' },
    after: 40,
    renewals: [3999],
  },
};

/** Runs it with a new account. The gateways' records must equal the ledger. */
const scenario = (
  gateway: GatewayName,
  { plan, before, wanted, after, renewals }: Scenario,
  faults: ChangeFaults,
) =>
  runChange(gateway, { plan }, faults, async ({ driven, purchase, fakes, applyFaults }) => {
    const id = await buyPlan(driven, purchase);
    if (before) await changed(driven, id, before);
    await runAlarmsUntil(driven, start + after * dayMs);
    const first = remainingAmounts(fakes.captured());
    const made = await applyFaults(() => changed(driven, id, wanted));
    const now = made.amount > 0 ? [made.amount] : [];
    expect(remainingAmounts(fakes.captured()).sort()).toEqual([...first, ...now].sort());
    await runAlarmsUntil(driven, Math.max(Date.now() + 75 * dayMs, start + 100 * dayMs));
    const all = [...first, ...now, ...renewals].sort();
    expect(remainingAmounts(fakes.captured()).sort().slice(0, all.length)).toEqual(all);
    expect([...ownedIn(driven).amounts].sort()).toEqual(remainingAmounts(fakes.captured()).sort());
    expect(liveSubscriptions(fakes)).toHaveLength(1);
  });

const cases = gateways.flatMap((gateway) =>
  Object.entries(scenarios).map(([name, one]) => [gateway, name, one] as const),
);

test.each(cases)(
  'plan change: %s: %s, with a crash at any await',
  { timeout: 600_000 },
  async (...one) => {
    const [gateway, , about] = one;
    await crashAtAnyAwait((faults) => scenario(gateway, about, faults));
  },
);

test.each(cases)(
  'plan change: %s: %s, with four of ten replies lost',
  { timeout: 600_000 },
  async (...one) => {
    const [gateway, name, about] = one;
    await loseReplies(40, name.length * 100, (faults) => scenario(gateway, about, faults));
  },
);
