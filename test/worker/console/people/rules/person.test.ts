import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  PersonFacts,
  StoredLedgerRow,
} from '../../../../../worker/console/people/people-table.ts';
import {
  paymentsOf,
  refundableOf,
  rightsOf,
  taxText,
  typedAmount,
} from '../../../../../worker/console/people/rules/person.ts';
import type { AttemptId, EpochMs, Minor, PaymentId } from '../../../../../worker/platform/types.ts';

const row = (
  kind: StoredLedgerRow['kind'],
  payment: string,
  amount: number,
  at: number,
): StoredLedgerRow => ({
  id: `${kind}:${payment}:${at}`,
  attempt_id: `of-${payment}` as AttemptId,
  kind,
  amount: amount as Minor,
  tax: null,
  currency: 'USD',
  payment_id: payment as PaymentId,
  gateway: 'stripe',
  occurred_at: at as EpochMs,
  refund_key: null,
});

test('person: payments show captured and refunded amounts, newest first', () => {
  const payments = paymentsOf([
    row('capture', 'one', 1000, 1),
    row('refund', 'one', 300, 5),
    row('capture', 'two', 2000, 2),
    row('dispute', 'one', 200, 6),
    row('refund', 'lost', 10, 7),
  ]);
  expect(
    payments.map(({ id, captured, refunded, lost }) => [id, captured, refunded, lost]),
  ).toEqual([
    ['two', 2000, 0, 0],
    ['one', 1000, 300, 200],
  ]);
  expect(payments.map(refundableOf)).toEqual([2000, 500]);
});

test('person: a payment and its refund show net and tax where the tax is known', () => {
  const [payment] = paymentsOf([{ ...row('capture', 'one', 3999, 1), tax: 638 as Minor }]);
  const inCents = (minor: number, currency: string) => `${minor} ${currency}`;
  expect(taxText(payment?.captured as Minor, payment?.tax ?? null, 'EUR', inCents)).toBe(
    ' (net 3361 EUR, tax 638 EUR)',
  );
  const [unknown] = paymentsOf([row('capture', 'two', 3999, 1)]);
  expect([unknown?.tax, taxText(3999 as Minor, null, 'EUR', inCents)]).toEqual([null, '']);
});

test('person: a reversed refund can be refunded again, and never more than was captured', () => {
  const [payment] = paymentsOf([
    row('capture', 'one', 1000, 1),
    row('refund', 'one', 1000, 2),
    row('refund', 'one', -1000, 3),
  ]);
  expect(payment && refundableOf(payment)).toBe(1000);
  const [over] = paymentsOf([row('capture', 'one', 10, 1), row('refund', 'one', 11, 2)]);
  expect(over && refundableOf(over)).toBe(0);
});

test.each([
  ['12.50', 2, 1250],
  ['12,5', 2, 1250],
  [' 7 ', 2, 700],
  ['700', 0, 700],
  ['1.234', 3, 1234],
  ['7.5', 0, null],
  ['1.234', 2, null],
  ['0', 2, null],
  ['-1', 2, null],
  ['1e3', 2, null],
  ['', 2, null],
  ['12.', 2, null],
])('person: the amount %j with %d decimals is %s', (text, digits, minor) => {
  expect(typedAmount(text, digits)).toBe(minor);
});

test('person: an amount printed by the page is parsed back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.constantFrom(0, 2, 3),
      (minor, digits) => {
        expect(typedAmount((minor / 10 ** digits).toFixed(digits), digits)).toBe(minor);
      },
    ),
  );
});

test('person: a first payment shows the buyer’s refund deadline, a renewal does not', () => {
  const at = Date.UTC(2026, 10, 3, 12);
  const terms = { market: 'euro', timeZone: 'UTC', at };
  const attempt = (market: string | null) =>
    ({
      id: 'of-one',
      slot: 'main',
      terms: market && JSON.stringify({ ...terms, market }),
    }) as PersonFacts['attempts'][number];
  const ledger = [
    row('capture', 'one', 1000, at),
    { ...row('capture', 'two', 1000, at + 1), attempt_id: 'of-one' as AttemptId },
  ];
  const [renewal, first] = paymentsOf(ledger);
  const deadlineText = (market: string | null, now: number, payment = first) =>
    payment && rightsOf({ attempts: [attempt(market)], ledger }, payment, now);
  const guarantee =
    'If no invitee shares their location, the guarantee can be claimed until 2026-12-17.';
  expect(deadlineText('euro', at)).toEqual([
    'By law the buyer may withdraw until 2026-11-17.',
    guarantee,
  ]);
  expect(deadlineText('euro', Date.UTC(2026, 11, 30))).toEqual([
    'The buyer’s legal right to withdraw ended on 2026-11-17.',
  ]);
  expect(deadlineText('us', at)).toEqual(['This buyer has no legal right to withdraw.', guarantee]);
  const unknown = 'No withdrawal terms are on file for this purchase, so no deadline is shown.';
  expect(deadlineText(null, at)).toEqual([unknown, guarantee]);
  expect(deadlineText('euro', at, renewal)).toEqual([]);
});
