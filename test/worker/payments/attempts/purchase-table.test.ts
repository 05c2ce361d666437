import { runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName, Subscription } from '../../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { epochMs } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { sampled } from '../../sampled.ts';
import { buyer, dayMs, gateways, owner, type Stub, stubGateways } from '../payments-fixture.ts';
import { payers } from './provider-side.ts';

type Change = (now: number) => Partial<Subscription>;

/** The stored plan in each state; a plan in the first row's state is active. */
const states: Record<string, Change> = {
  active: () => ({}),
  'past due in grace': (now) => ({ status: 'past_due', paidUntil: epochMs(now - dayMs) }),
  'past due after grace': (now) => ({ status: 'past_due', paidUntil: epochMs(now - 8 * dayMs) }),
  ending: (now) => ({ ends: true, cancelRequestedAt: now }),
  'ended in time': (now) => ({ ends: true, cancelRequestedAt: 1, paidUntil: epochMs(now - 1) }),
  'pausing soon': (now) => ({ pausesUntil: epochMs(now + 60 * dayMs) }),
  paused: (now) => ({
    ...{ status: 'paused', paidUntil: epochMs(now - dayMs) },
    pausesUntil: epochMs(now + 20 * dayMs),
  }),
  'past due after a pause': (now) => ({
    ...{ status: 'past_due', paidUntil: epochMs(now - 40 * dayMs) },
    pausesUntil: epochMs(now - dayMs),
  }),
  'silent for weeks': (now) => ({ paidUntil: epochMs(now - 20 * dayMs) }),
  provisional: () => ({ isProvisional: true }),
  ended: () => ({ status: 'ended', ends: true }),
  withdrawn: (now) => ({ withdrawnAt: now, ends: true, cancelRequestedAt: now }),
};

type Row = [same: string, other: string, upsell: string, guide: string];

const all = (answer: string): Row => [answer, answer, answer, answer];
const sold: Row = ['sold', 'sold', 'main_plan_required', 'main_plan_required'];

const table: Record<string, Row> = {
  none: sold,
  open: ['same attempt', 'purchase_in_progress', 'purchase_in_progress', 'purchase_in_progress'],
  active: ['same attempt', 'already_active', 'sold', 'sold'],
  'past due in grace': all('payment_overdue'),
  'past due after grace': all('plan_unpaid'),
  ending: all('plan_ending'),
  'ended in time': sold,
  'pausing soon': ['same attempt', 'already_active', 'plan_paused', 'plan_paused'],
  paused: all('plan_paused'),
  'past due after a pause': all('plan_unpaid'),
  'silent for weeks': all('plan_unpaid'),
  provisional: ['same attempt', 'debit_pending', 'debit_pending', 'debit_pending'],
  ended: sold,
  withdrawn: sold,
};

const plans = ['monthly_usd', 'quarterly_usd', 'upsell_monthly_999_usd', 'guide_1799_usd'];

async function store(stub: Stub, change: Change) {
  await runInDurableObject(stub, (_: Purchases, { storage }) => {
    const ledger = new PurchaseStorage(storage.kv as never);
    const found = ledger.subscriptionInSlot('main');
    if (found) ledger.saveSubscription({ ...found, ...change(Date.now()) });
  });
}

async function accountIn(state: string, gateway: GatewayName) {
  const change = states[state];
  if (change) {
    const account = await owner({ gateway });
    await store(account.stub, change);
    return { ...account, first: account.attempt.pollingId };
  }
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'] });
  const nonce = await payers[gateway].nonce(stubGateways());
  const account = buyer({ gateway, nonce });
  if (state === 'none') return { ...account, first: '' };
  const opened = await account.stub.buy(account.purchase);
  return { ...account, first: opened.kind === 'accepted' ? opened.pollingId : '' };
}

const cells = gateways.flatMap((gateway) =>
  Object.entries(table).flatMap(([state, row]) =>
    row.map((answer, at) => [gateway, state, plans[at] ?? '', answer] as const),
  ),
);

test.each(sampled(cells, 5))(
  'purchase table: at %s, %s, %s: %s',
  async (gateway, state, plan, answer) => {
    const { stub, purchase, first } = await accountIn(state, gateway);
    const isExtra = !plan.startsWith('monthly') && !plan.startsWith('quarterly');
    const result = await stub.buy({
      ...{ ...purchase, plan, gateway },
      nonce: isExtra ? null : approved[gateway],
    });
    if (result.kind === 'refused') expect(result.refusal).toBe(answer);
    else expect(result.pollingId === first ? 'same attempt' : 'sold').toBe(answer);
  },
);
