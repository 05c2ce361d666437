import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currencies } from '../../../../worker/catalog/rules/currencies.ts';
import { includedTax, taxOfMovement, taxRateOf } from '../../../../worker/payments/purchase/tax.ts';
import {
  type Minor,
  minor,
  type PaymentId,
  paymentIdOf,
} from '../../../../worker/platform/types.ts';

const amount = fc.integer({ min: 1, max: 99_999_999 }).map(minor);
const rate = fc.integer({ min: 0, max: 5000 });

test('included tax: net plus tax is the price in every currency, and the tax is the rate of the net', () => {
  fc.assert(
    fc.property(fc.constantFrom(...currencies), amount, rate, (currency, gross, basisPoints) => {
      const tax = includedTax(gross, basisPoints);
      const net = gross - tax;
      expect(Number.isInteger(tax), currency).toBe(true);
      expect(net + tax).toBe(gross);
      expect(tax).toBeGreaterThanOrEqual(0);
      // At most half a minor unit from the exact tax.
      const exact = (gross * basisPoints) / (10_000 + basisPoints);
      expect(Math.abs(tax - exact)).toBeLessThanOrEqual(0.5 + 1e-6);
    }),
  );
});

test('included tax: half a unit is rounded up; no rate is no tax', () => {
  expect(includedTax(minor(11_900), 1900)).toBe(1900);
  expect(includedTax(minor(3999), 1900)).toBe(638);
  // 3 at 20 % contains a tax of 0.5.
  expect(includedTax(minor(3), 2000)).toBe(1);
  expect(includedTax(minor(4980), 1000)).toBe(453);
  expect(includedTax(minor(3999), 0)).toBe(0);
});

test('tax rates: a country’s own rate comes before its market’s; an unknown place has none', () => {
  const rates = { DE: 1900, euro: 2100, us: 0 };
  expect(taxRateOf(rates, { country: 'DE', market: 'euro' })).toBe(1900);
  expect(taxRateOf(rates, { country: 'NL', market: 'euro' })).toBe(2100);
  expect(taxRateOf(rates, { country: 'US', market: 'us' })).toBe(0);
  expect(taxRateOf(rates, { country: 'GB', market: 'gb' })).toBeUndefined();
  expect(taxRateOf(rates, null)).toBeUndefined();
});

interface Row {
  kind: 'capture' | 'refund' | 'dispute';
  id: string;
  paymentId: PaymentId;
  amount: Minor;
  tax?: Minor | undefined;
}

/** The rows of one payment, each with its tax as the ledger stores it. */
function recorded(movements: readonly Row[]): Row[] {
  const rows: Row[] = [];
  for (const movement of movements) {
    const id = `${movement.kind}:${movement.id}`;
    rows.push({ ...movement, id, tax: taxOfMovement(movement, rows) });
  }
  return rows;
}

const capture = (gross: Minor, tax: Minor | undefined): Row => ({
  kind: 'capture',
  id: 'pi',
  paymentId: paymentIdOf('pi'),
  amount: gross,
  tax,
});
const refund = (id: string, back: number, kind: Row['kind'] = 'refund'): Row => ({
  kind,
  id,
  paymentId: paymentIdOf('pi'),
  amount: minor(back),
});

test('tax of refunds: each has its share, and the shares add up to the whole tax after a full refund', () => {
  fc.assert(
    fc.property(amount, rate, fc.array(fc.nat(), { maxLength: 6 }), (gross, basisPoints, cuts) => {
      const tax = includedTax(gross, basisPoints);
      const points = [...cuts.map((cut) => cut % gross), gross].sort((a, b) => a - b);
      const parts = points.map((point, at) => point - (points[at - 1] ?? 0));
      const rows = recorded([
        capture(gross, tax),
        ...parts.map((part, at) => refund(`re_${at}`, part, at % 2 ? 'dispute' : 'refund')),
      ]);
      const back = rows.slice(1).map((row) => row.tax ?? Number.NaN);
      expect(back.reduce((sum, one) => sum + one, 0)).toBe(tax);
      for (const [at, one] of back.entries()) {
        expect(one).toBeGreaterThanOrEqual(0);
        expect(Math.abs(one - (tax * (parts[at] ?? 0)) / gross)).toBeLessThanOrEqual(1 + 1e-6);
      }
    }),
  );
});

test('tax of reversals: the reversal of a refund or a capture reverses its tax', () => {
  const [, first, undone, again] = recorded([
    capture(minor(3999), minor(638)),
    refund('re_1', 1000),
    refund('re_1#2', -1000),
    refund('re_2', 3999),
  ]);
  expect([first?.tax, undone?.tax, again?.tax]).toEqual([160, -160, 638]);
  const gone: Row = { ...capture(minor(-3999), undefined), id: 'pi#2' };
  expect(recorded([capture(minor(3999), minor(638)), gone])[1]?.tax).toBe(-638);
});

test('tax of refunds: a payment without tax or without an amount', () => {
  const free = recorded([capture(minor(1), minor(0)), refund('re_1', 1)]);
  expect(free.map(({ tax }) => tax)).toEqual([0, 0]);
  expect(recorded([capture(minor(0), minor(0)), refund('re_1', 0)])[1]?.tax).toBeUndefined();
  expect(recorded([capture(minor(2), minor(1)), refund('re_1', 1)])[1]?.tax).toBe(1);
  // Rows of other payments are not counted.
  const other = { ...refund('re_0', 3000), id: 'refund:re_0', paymentId: paymentIdOf('pi_0') };
  const [paid] = recorded([capture(minor(3999), minor(638))]);
  expect(paid && taxOfMovement(refund('re_1', 3999), [other, paid])).toBe(638);
});

test('tax of refunds: unknown if the tax of the payment is unknown', () => {
  const rows = recorded([capture(minor(3999), undefined), refund('re_1', 1000)]);
  expect(rows.map(({ tax }) => tax)).toEqual([undefined, undefined]);
  expect(taxOfMovement(refund('re_1', 1000), [])).toBeUndefined();
});
