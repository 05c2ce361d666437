import { expect, test } from 'vitest';
import type { PersonFacts } from '../../../../../worker/console/people/people-table.ts';
import { receiptCopy } from '../../../../../worker/console/people/rules/receipt-copy.ts';
import type { PaymentId } from '../../../../../worker/platform/types.ts';
import { germanTerms } from '../../../payments/attempts/attempt-fixture.ts';

const first = Date.UTC(2026, 9, 1);
const later = Date.UTC(2026, 10, 1);

const row = (payment_id: string, occurred_at: number, kind = 'capture') => ({
  ...{ kind, payment_id, occurred_at, attempt_id: 'a' },
  ...{ amount: 3999, currency: 'USD', tax: null },
});

const facts = {
  attempts: [{ id: 'a', plan: 'monthly_usd', coupon: null, terms: null }],
  subscriptions: [],
  ledger: [row('pi_1', first), row('pi_1', first - 1, 'refund'), row('pi_2', later)],
  changes: [{ payment_id: 'pi_change' }],
} as unknown as PersonFacts;

const copyOf = (payment: string) => receiptCopy(facts, payment as PaymentId, later)?.template;

test('receipt copy: the first payment has a confirmation, a later one a renewal receipt', () =>
  expect([copyOf('pi_1'), copyOf('pi_2')]).toEqual(['purchase_confirmation', 'renewal_receipt']));

test('receipt copy: the first one says until when the buyer may withdraw, until that day is over', () => {
  const signed = germanTerms({ timeZone: 'UTC', at: first });
  const attempts = [{ ...facts.attempts[0], terms: JSON.stringify(signed) }];
  const day = 24 * 60 * 60_000;
  const withdrawAt = (days: number) => {
    const known = { ...facts, attempts } as unknown as PersonFacts;
    return receiptCopy(known, 'pi_1' as PaymentId, first + days * day)?.data;
  };
  expect(withdrawAt(14.9)).toMatchObject({ withdraw: first + 14 * day });
  expect(withdrawAt(15)).toMatchObject({ withdraw: null });
});

test('receipt copy: it names the next renewal of its own subscription while that runs', () => {
  const own = { attempt_id: 'a', plan: 'quarterly_usd', status: 'active', paid_until: 5 };
  const other = { ...own, attempt_id: 'b', plan: 'monthly_3d_usd', paid_until: 6 };
  const dataOf = (cancelled: 0 | 1, payment: string) => {
    const subscriptions = [other, { ...own, cancel_at_period_end: cancelled }];
    const known = { ...facts, subscriptions } as unknown as PersonFacts;
    return receiptCopy(known, payment as PaymentId, later)?.data;
  };
  expect(dataOf(0, 'pi_1')).toMatchObject({ plan: 'monthly_usd', renews: 5 });
  expect(dataOf(0, 'pi_2')).toMatchObject({ plan: 'quarterly_usd', renews: 5 });
  expect(dataOf(1, 'pi_2')).toMatchObject({ renews: null });
});

test('receipt copy: it names the tax of its payment where it is known', () => {
  const ledger = [row('pi_1', first), { ...row('pi_2', later), tax: 639 }];
  const dataOf = (payment: string) =>
    receiptCopy({ ...facts, ledger } as unknown as PersonFacts, payment as PaymentId, later)?.data;
  expect(dataOf('pi_1')).not.toHaveProperty('tax');
  expect(dataOf('pi_2')).toMatchObject({ tax: 639 });
});

test('receipt copy: a plan change and an unknown payment have none', () => {
  expect([copyOf('pi_change'), copyOf('pi_3')]).toEqual([undefined, undefined]);
  expect(receiptCopy({ ...facts, attempts: [] }, 'pi_1' as PaymentId, later)).toBeNull();
});
