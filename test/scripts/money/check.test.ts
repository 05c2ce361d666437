import { expect, test } from 'vitest';
import { check } from '../../../scripts/money/check.ts';
import { Unconfirmed } from '../../../scripts/money/site.ts';
import { world } from './world.ts';

const page = (change: object = {}) => ({
  checked: 10,
  unread: [],
  differences: [],
  next: null,
  ...change,
});
const difference = {
  account: 'acc',
  attempt: 'att',
  gateway: 'stripe',
  id: 'capture:pi',
  currency: 'USD',
  ledger: 3999,
  provider: 4000,
  copy: null,
};

test('all the same: page by page, one line, and well', async () => {
  const { context, asked, said } = world(page({ next: 'a b' }), page({ checked: 3 }));
  expect(await check(context)).toBe(true);
  expect(asked).toEqual([['/check?after='], ['/check?after=a%20b']]);
  expect(said).toEqual(['13 accounts compared, 0 differences, 0 not read']);
});

test('a difference is a row of a table, and not well', async () => {
  const { context, said } = world(page({ differences: [difference] }));
  expect(await check(context)).toBe(false);
  expect(said).toEqual([
    'account  attempt      at       money  ledger  provider  copy  currency',
    'acc          att  stripe  capture:pi   39.99     40.00  none       USD',
    '10 accounts compared, 1 differences, 0 not read',
  ]);
});

test('each attempt and account that could not be read is named, and not well', async () => {
  const unread = [
    { account: 'acc', attempt: 'att' },
    { account: 'other', attempt: null },
  ];
  const { context, said } = world(page({ unread }));
  expect(await check(context)).toBe(false);
  expect(said).toEqual([
    'not read: acc, attempt att, its payment provider did not answer',
    'not read: other, its payment provider did not answer',
    '10 accounts compared, 0 differences, 2 not read',
  ]);
});

test('a page that was lost is asked for again', async () => {
  const { context, waits } = world(new Unconfirmed('lost'), page());
  expect(await check(context)).toBe(true);
  expect(waits).toEqual([1000]);
});
