import { expect, test } from 'vitest';
import {
  isExpiring,
  needsCard,
  nextCardCheck,
} from '../../../../worker/payments/notices/card-notices.ts';

const day = 24 * 60 * 60_000;
const card = { month: 2, year: 2028 };
const end = Date.UTC(2028, 2, 1);

test('card expiry: a card expires at the end of its month, and counts as expiring for 30 days before', () => {
  expect(isExpiring(card, end - 30 * day - 1)).toBe(false);
  expect(isExpiring(card, end - 30 * day)).toBe(true);
  expect(isExpiring(card, end - 1)).toBe(true);
  expect(isExpiring(card, end)).toBe(false);
  expect(isExpiring({ month: null, year: null }, end)).toBe(false);
});

test('card expiry: the card is read in time for the e-mail, at least every 90 days, and by day', () => {
  const noon = Date.UTC(2027, 9, 1, 12);
  expect(nextCardCheck(undefined, noon, 'UTC')).toBe(noon + 7 * day);
  expect(nextCardCheck(card, noon, 'UTC')).toBe(noon + 90 * day);
  const near = Date.UTC(2028, 0, 10, 12);
  expect(nextCardCheck(card, near, 'UTC')).toBe(end - 30 * day + 9 * 60 * 60_000);
  const warned = Date.UTC(2028, 1, 5, 12);
  expect(nextCardCheck(card, warned, 'UTC')).toBe(warned + 30 * day);
  expect(nextCardCheck({ month: null, year: null }, noon, 'UTC')).toBe(noon + 90 * day);
});

test('card e-mails: a new card is needed after a failed renewal, or while a subscription runs', () => {
  const running = { status: 'active', ends: false, cancelRequestedAt: null, failure: null };
  const needs = (change: object, why: Parameters<typeof needsCard>[1]) =>
    needsCard({ ...running, ...change } as Parameters<typeof needsCard>[0], why);
  const unpaid = { status: 'past_due', failure: { outcome: 'open' } };
  expect([needs({}, 'renewal_failed'), needs(unpaid, 'renewal_failed')]).toEqual([false, true]);
  expect([needs({}, 'card_expires'), needs(unpaid, 'card_expires')]).toEqual([true, false]);
  expect(needs({ failure: { outcome: 'retried' } }, 'renewal_failed')).toBe(false);
  expect(needsCard(undefined, 'card_expires')).toBe(false);
});
