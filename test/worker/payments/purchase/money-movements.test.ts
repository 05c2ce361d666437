import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addedArmSquares,
  addedSquares,
  balance,
  entriesOf,
  isPeriodReturned,
  isRenewal,
  type Movements,
  movementIdOf,
  netRows,
  reversalRows,
  sideBySide,
} from '../../../../worker/payments/purchase/money-movements.ts';
import type { Statement } from '../../../../worker/payments/purchase/state.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { attemptId, movement } from '../attempts/attempt-fixture.ts';

const capture = movement({
  kind: 'capture',
  id: 'pi',
  paymentId: 'pi',
  amount: 3999,
  at: 1,
} as const);
const refund = movement({
  kind: 'refund',
  id: 'void:1',
  paymentId: 'pi',
  amount: 500,
  at: 2,
} as const);
const rowsOf = (movements: Movements) =>
  movements.map(({ kind, id, paymentId, amount }) => ({
    id: `${kind}:${id}`,
    kind,
    paymentId,
    amount,
  }));

test('ledger: a statement equal to the rows needs no reversal', () => {
  expect(reversalRows(rowsOf([capture, refund]), [capture, refund], 9)).toEqual([]);
  expect(reversalRows(rowsOf([capture]), [capture, refund], 9)).toEqual([]);
});

test('ledger: a movement missing from the statement gets a reversal, and another when it returns', () => {
  const rows = rowsOf([capture, refund]);
  const [gone, ...more] = reversalRows(rows, [capture], 9);
  expect(gone).toEqual({ ...refund, id: 'void:1#2', amount: -500, at: 9 });
  expect(more).toEqual([]);
  rows.push(...rowsOf(gone ? [gone] : []));
  expect(reversalRows(rows, [capture], 10)).toEqual([]);
  const back = reversalRows(rows, [capture, refund], 11);
  expect(back).toEqual([{ ...refund, id: 'void:1#3', amount: 500, at: 11 }]);
});

test('ledger: a reversed capture nets to nothing', () => {
  expect(reversalRows(rowsOf([capture]), [], 9)).toMatchObject([
    { kind: 'capture', id: 'pi#2', amount: -3999 },
  ]);
});

test('ledger: rows are netted by movement', () => {
  const rows = [
    { id: 'capture:pi', amount: 3999, at: 1 },
    { id: 'refund:re', amount: 500, at: 2 },
    { id: 'refund:re#2', amount: -500, at: 3 },
    { id: 'refund:other', amount: 500, at: 4 },
    { id: 'refund:other#2', amount: -100, at: 5 },
  ].map(movement);
  expect(netRows(rows)).toEqual([
    { id: 'capture:pi', amount: 3999, at: 1 },
    { id: 'refund:other', amount: 400, at: 4 },
  ]);
  expect(rows.map(({ id }) => movementIdOf(id))).toEqual([
    'capture:pi',
    'refund:re',
    'refund:re',
    'refund:other',
    'refund:other',
  ]);
});

test('ledger: the balance is captures less refunds and disputes', () => {
  expect(balance([])).toBe(0);
  expect(
    balance([
      { kind: 'capture', amount: minor(699) },
      { kind: 'capture', amount: minor(3999) },
      { kind: 'refund', amount: minor(500) },
      { kind: 'dispute', amount: minor(699) },
    ]),
  ).toBe(3499);
});

const about = { attempt: attemptId('a'), gateway: 'stripe', currency: 'USD' } as const;
const entry = (id: string, amount: number) => ({
  id,
  attempt: attemptId('a'),
  amount: minor(amount),
});

test('reconciliation: each movement of a statement is an entry with its kind', () => {
  const moved = (id: string, amount: number) => movement({ id, paymentId: 'pi', amount, at: 1 });
  const statement = {
    captures: [moved('pi', 3999), moved('pi2', 3999)],
    refunds: [moved('re', 100)],
    disputes: [moved('dp', 50)],
  };
  expect(entriesOf(attemptId('a'), statement)).toEqual([
    entry('capture:pi', 3999),
    entry('capture:pi2', 3999),
    entry('refund:re', 100),
    entry('dispute:dp', 50),
  ]);
});

test('reconciliation: each movement is one line, whichever side has it', () => {
  const ledger = [entry('both', 5), entry('cent', 5), entry('ours', 5)];
  const provider = [entry('theirs', 7), entry('cent', 6), entry('both', 5)];
  const lines = sideBySide(about, ledger, provider);
  expect(lines.map(({ id, ledger, provider }) => [id, ledger, provider])).toEqual([
    ['both', 5, 5],
    ['cent', 5, 6],
    ['ours', 5, null],
    ['theirs', null, 7],
  ]);
  expect(lines[0]).toMatchObject(about);
});

const row = fc.record({
  kind: fc.constantFrom('capture', 'refund', 'dispute'),
  amount: fc.integer({ min: -5000, max: 5000 }).map(minor),
  currency: fc.constantFrom('USD', 'EUR'),
  experiment: fc.constantFrom('one', null),
  arm: fc.constantFrom('a', 'b'),
});

const unchanged = { earlier: { subscriptionIds: [], paymentIds: [] }, paidSince: null };

test('ledger: the newest payment is returned once nothing of it remains, whatever else was returned', () => {
  const amount = fc.integer({ min: 1, max: 9000 });
  fc.assert(
    fc.property(amount, amount, fc.nat(9000), fc.nat(9000), (paid, older, refunded, disputed) => {
      const of = (paymentId: string, value: number, at = 1) =>
        movement({
          kind: 'capture',
          id: `${paymentId}:${value}`,
          paymentId,
          amount: value,
          at,
        } as const);
      const statement = {
        captures: [of('old', older, 1), of('new', paid, 2)],
        refunds: [of('new', refunded), of('old', older)],
        disputes: [of('new', disputed)],
      } as unknown as Statement;
      expect(isPeriodReturned(statement, unchanged)).toBe(refunded + disputed >= paid);
      const full = {
        ...statement,
        refunds: [of('new', paid)],
        disputes: [],
      } as unknown as Statement;
      expect(isPeriodReturned(full, unchanged)).toBe(true);
      const rest = { ...full, refunds: [of('new', paid - 1)] } as unknown as Statement;
      expect(isPeriodReturned(rest, unchanged)).toBe(false);
    }),
  );
  expect(isPeriodReturned({ captures: [] as unknown } as Statement, unchanged)).toBe(false);
});

test('ledger: the squares stored with rows sum to the squared balance of each variant and currency', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const nameOf = ({ currency, experiment, arm }: (typeof rows)[number]) =>
        `${currency} ${experiment} ${arm}`;
      for (const [name, own] of Map.groupBy(rows, nameOf)) {
        const squares = rows.map((each, at) =>
          nameOf(each) === name ? addedSquares(rows.slice(0, at), each) : 0,
        );
        expect(squares.reduce((sum, each) => sum + each, 0)).toBe(balance(own) ** 2);
      }
    }),
  );
});

test('ledger: the squares stored for each further experiment sum to the squared balance of its variant', () => {
  const tested = fc.tuple(row, fc.constantFrom('', 'x:a', 'x:b,y:a', 'y:b'));
  fc.assert(
    fc.property(fc.array(tested, { maxLength: 12 }), (all) => {
      const rows = all.map(([each, arms]) => ({ ...each, arms }));
      for (const currency of ['USD', 'EUR']) {
        for (const name of ['x:a', 'x:b', 'y:a', 'y:b']) {
          const isOwn = (each: (typeof rows)[number]) =>
            each.currency === currency && each.arms.split(',').includes(name);
          const squares = rows.map((each, at) =>
            isOwn(each)
              ? addedArmSquares(rows.slice(0, at), each)[each.arms.split(',').indexOf(name)]
              : 0,
          );
          const sum = squares.reduce<number>((total, each) => total + (each ?? Number.NaN), 0);
          expect(sum).toBe(balance(rows.filter(isOwn)) ** 2);
        }
      }
    }),
  );
  expect(addedArmSquares([], rowOfOlderBuild)).toEqual([]);
});

const rowOfOlderBuild = {
  kind: 'capture',
  amount: minor(5),
  currency: 'USD',
  experiment: null,
  arm: 'a',
} as const;

test('ledger: later payments of an attempt are renewals, with their refunds; an extra’s first payment is new', () => {
  const of = (kind: string, attempt: string, paymentId: string) => ({ kind, attempt, paymentId });
  const rows = [
    of('capture', 'plan', 'p1'),
    of('refund', 'plan', 'p1'),
    of('capture', 'plan', 'p2'),
    of('capture', 'extra', 'x1'),
    of('refund', 'plan', 'p1'),
    of('dispute', 'plan', 'p2'),
    of('capture', 'extra', 'x2'),
  ];
  expect(rows.map((row, at) => isRenewal(rows.slice(0, at), row))).toEqual([
    ...[false, false, true, false],
    ...[false, true, true],
  ]);
  expect(isRenewal([], of('refund', 'plan', 'p1'))).toBe(false);
});
