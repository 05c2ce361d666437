import { expect, test } from 'vitest';
import {
  leaveBank,
  resumeAfterChallenge,
} from '../../../../worker/payments/rules/return-from-bank.ts';
import { type AttemptChange, attempt } from '../attempts/attempt-fixture.ts';

const openedAt = Date.UTC(2026, 10, 22);
const now = openedAt + 9000;

const away = (change: AttemptChange = {}) =>
  attempt({
    ...{ state: 'challenged', bank: 'ideal', nonce: 'old' },
    ...{ openedAt, challengedAt: openedAt + 5000 },
    ...change,
  });

test('return from the bank: another method ends the wait for the bank’s page', () => {
  const left = leaveBank(away(), { nonce: 'new' }, now);
  expect(left).toMatchObject({ state: 'returned', challengedAt: 0, tries: 0, dueAt: now });
  expect(leaveBank(away(), { nonce: 'new', bank: 'bancontact' }, now).state).toBe('returned');
});

test.each<[what: string, change: AttemptChange, terms: Parameters<typeof leaveBank>[1]]>([
  ['the same bank', {}, { nonce: 'new', bank: 'ideal' }],
  ['the same nonce', {}, { nonce: 'old' }],
  ['no nonce', {}, { nonce: null }],
  ['a card that the bank challenges on our page', { bank: null }, { nonce: 'new', bank: 'ideal' }],
  ['an attempt that was not challenged', { state: 'sent' }, { nonce: 'new' }],
])('return from the bank: %s changes nothing', (_, change, terms) => {
  const before = away(change);
  expect(leaveBank(before, terms, now)).toBe(before);
});

test('return from the bank: after a challenge the gateway is called at once, with all its retries', () => {
  const tried = away({ gateway: 'stripe', tries: 4 });
  expect(resumeAfterChallenge(tried, null, now)).toMatchObject({
    ...{ state: 'returned', tries: 0, dueAt: now },
  });
  const braintree = away({ gateway: 'braintree', tries: 4 });
  expect(resumeAfterChallenge(braintree, 'verified', now)).toMatchObject({
    ...{ state: 'open', tries: 0, dueAt: now, nonce: 'verified', challengedNonce: 'old' },
  });
});

test('return from the bank: without a nonce that the bank has just verified nothing is charged', () => {
  const braintree = away({ gateway: 'braintree' });
  for (const nonce of [null, '', 'old']) {
    expect(resumeAfterChallenge(braintree, nonce, now)).toBe(braintree);
  }
});
