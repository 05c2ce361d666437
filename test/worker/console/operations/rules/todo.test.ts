import { expect, test } from 'vitest';
import { type OpenRisk, todoOf } from '../../../../../worker/console/operations/rules/todo.ts';
import type { Incident } from '../../../../../worker/monitoring/rules/incidents.ts';
import type { AccountId, Minor, PaymentId } from '../../../../../worker/platform/types.ts';

const now = Date.UTC(2026, 10, 23, 11, 46);
const incident = (kind: Incident['kind'], clearedAt: number | null = null): Incident => ({
  id: kind,
  area: kind,
  kind,
  segment: '',
  detail: 'detail',
  also: [],
  startedAt: 1,
  openedAt: 1,
  seenAt: 1,
  widenedAt: null,
  clearedAt,
  partOf: null,
  sent: [],
});
const payment = {
  gateway: 'stripe',
  paymentId: 'pi_1' as PaymentId,
  account: 'acct' as AccountId,
  email: 'ann@example.com',
  amount: 5999 as Minor,
  currency: 'USD',
};
const warning: OpenRisk = { ...payment, kind: 'warning', at: 1 };
const dispute: OpenRisk = { ...payment, kind: 'dispute', dueAt: now };
const healthy = {
  monitor: { incidents: [] as Incident[], watchedAt: now },
  health: {
    bindings: { kv: 'ok', d1: 'ok', purchases: 'ok' } as const,
    payments: [] as string[],
    secrets: [] as string[],
  },
  deadLetters: [] as unknown[],
  risks: [] as OpenRisk[],
};
const reader = (mayPeople: boolean) => ({
  mayPeople,
  clock: (time: number) => new Date(time).toISOString().slice(11, 16),
  amount: (minor: number, currency: string) => `${minor} ${currency}`,
});
const todo = (change: Partial<Parameters<typeof todoOf>[0]>, mayPeople = true) =>
  todoOf({ ...healthy, ...change }, now, reader(mayPeople));

test('to do: the list is empty while everything works, and before the first check', () => {
  expect(todo({})).toEqual([]);
  expect(todo({ monitor: { incidents: [incident('sms_refused', 2)], watchedAt: null } })).toEqual(
    [],
  );
});

test('to do: the most severe item comes first, and a risk is listed once, by its payment', () => {
  const incidents = [
    incident('sms_refused'),
    incident('fraud_warning'),
    incident('purchases_stopped'),
  ];
  const health = {
    ...healthy.health,
    bindings: { ...healthy.health.bindings, kv: 'down' } as const,
    secrets: ['S is short'],
  };
  const all = todo({
    monitor: { incidents, watchedAt: now },
    health,
    deadLetters: [{}],
    risks: [dispute, warning],
  });
  expect(all.map(({ text }) => text)).toEqual([
    'Settings and texts do not respond.',
    'Purchases stopped: detail.',
    'Stripe warns of fraud: 5999 USD from ann@example.com. If it looks like fraud, refund it before it becomes a dispute.',
    'Dispute at Stripe: 5999 USD from ann@example.com. Respond by 11:46.',
    'S is short.',
    '1 message failed permanently. Fix the cause, then replay.',
    'SMS are refused or fail: detail.',
  ]);
  expect(all[2]?.href).toBe('/console/people/acct/refund/pi_1');
});

test('to do: roles without access to people get no e-mail address and no link to a person', () => {
  const [item] = todo({ risks: [warning] }, false);
  expect(item?.text).toContain('5999 USD from one buyer');
  expect(item?.href).toBe('/console/money#disputes');
});

test('to do: a payment without an account is listed by its id', () => {
  const [item] = todo({ risks: [{ ...warning, account: null, email: null, amount: null }] });
  expect(item?.text).toContain('a payment from pi_1');
});

test('to do: checks that stopped and a monitor that does not respond are listed', () => {
  const stopped = todo({ monitor: { incidents: [], watchedAt: now - 11 * 60_000 } });
  expect(stopped.map(({ text }) => text)).toEqual(['The last check ran at 11:35.']);
  expect(todo({ monitor: null }).map(({ text }) => text)).toEqual(['Monitoring does not respond.']);
});
