import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buy, buyer, scaled, seeded } from '../purchases/bank.ts';
import { emptyBooks, madeUp, statementOf } from './books.ts';
import { anEvent, deliver } from './event.ts';

vi.mock('../../../worker/vendors/gateways.ts', () => madeUp);

beforeEach(() => {
  emptyBooks();
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(() => {});
  }
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const day = 86_400_000;

/** A year of a subscription: what happens at the gateway, one event each. */
function life(attempt: string): [type: string, change: () => void][] {
  const now = () => statementOf(attempt);
  const start = Date.now();
  const pay = (month: number) => {
    const id = `pi_${attempt}_${month}`;
    now().captures.push({ id, paymentId: id, amount: 3999, at: start + month * 30 * day });
    Object.assign(now(), { status: 'active', paidUntil: start + (month + 1) * 30 * day });
  };
  const back = (kind: 'refunds' | 'disputes', month: number, amount: number) => {
    const paymentId = `pi_${attempt}_${month}`;
    now()[kind].push({ id: `${kind}_${paymentId}_${amount}`, paymentId, amount, at: start });
  };
  return [
    ['invoice.paid', () => {}],
    ['invoice.paid', () => pay(1)],
    ['charge.refunded', () => back('refunds', 1, 100)],
    ['invoice.payment_failed', () => Object.assign(now(), { status: 'past_due' })],
    ['invoice.paid', () => pay(2)],
    ['charge.dispute.created', () => {}],
    ['invoice.paid', () => pay(3)],
    ['charge.dispute.closed', () => back('disputes', 2, 3999)],
    ['charge.refunded', () => back('refunds', 3, 3999)],
    ['customer.subscription.updated', () => Object.assign(now(), { ends: true })],
    ['invoice.payment_failed', () => Object.assign(now(), { status: 'past_due' })],
    ['invoice.paid', () => pay(4)],
  ];
}

const rowsInD1 = async (attempt: string) =>
  (
    await env.DB.prepare('SELECT id, amount FROM ledger WHERE attempt = ? ORDER BY id')
      .bind(attempt)
      .all<{ id: string; amount: number }>()
  ).results;

function rowsAtGateway(attempt: string) {
  const { captures, refunds, disputes } = statementOf(attempt);
  const rows = (kind: string, list: typeof captures) =>
    list.map(({ id, amount }) => ({ id: `${kind}:${id}`, amount }));
  return [
    ...rows('capture', captures),
    ...rows('refund', refunds),
    ...rows('dispute', disputes),
  ].sort((a, b) => (a.id < b.id ? -1 : 1));
}

test('1,000 times 12 events in any order, twice or never: the rows are the gateway’s', {
  timeout: 600_000,
}, async () => {
  const random = seeded(12);
  let healed = 0;
  for (let round = 0; round < scaled(1000); round++) {
    const { stub, purchase } = buyer();
    const { id: attempt } = await buy(stub, purchase);
    const names = [
      { account: purchase.account },
      { subscriptionId: `sub_${attempt}` },
      { customerId: `cus_${purchase.account}` },
      { attempt },
    ];
    await vi.waitFor(async () => expect(await rowsInD1(attempt)).toHaveLength(1));
    const underway: { event: unknown; due: number }[] = [];
    const events = life(attempt);
    for (const [step, [type, change]] of events.entries()) {
      change();
      const event = anEvent({ type, ...names[step % names.length] });
      for (let copies = Math.floor(random() * 3); copies > 0; copies--) {
        underway.push({ event, due: step + random() * events.length });
      }
      const due = underway.filter((one) => one.due <= step);
      if (due.length > 0) await deliver('funnel-webhooks', due.map((one) => one.event));
    }
    const late = underway.filter(({ due }) => due > events.length - 1);
    // In every other round nothing comes after the last change: only our own clock is left.
    if (round % 2 === 0 && late.length > 0) {
      late.sort((a, b) => a.due - b.due);
      for (const { event } of late) await deliver('funnel-webhooks', [event]);
    } else {
      healed += 1;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * day });
      await runDurableObjectAlarm(stub);
      vi.useRealTimers();
    }
    await vi.waitFor(async () => expect(await rowsInD1(attempt)).toEqual(rowsAtGateway(attempt)));
    const [held] = await stub.held();
    expect(held?.bought).toMatchObject({ status: 'active', ends: true });
    expect(await stub.compare()).toMatchObject({ pending: [] });
  }
  expect(healed).toBeGreaterThan(0);
});
