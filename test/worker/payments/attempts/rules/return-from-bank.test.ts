import { expect, test } from 'vitest';
import {
  leaveBank,
  leavesBank,
} from '../../../../../worker/payments/attempts/rules/return-from-bank.ts';
import { nextStep, resumeAfterChallenge } from '../../../../../worker/payments/purchase/attempt.ts';
import type { PaymentId } from '../../../../../worker/platform/types.ts';
import { type AttemptChange, attempt } from '../attempt-fixture.ts';

const openedAt = Date.UTC(2026, 10, 22);
const now = openedAt + 9000;

const away = (change: AttemptChange = {}) =>
  attempt({
    ...{ state: 'challenged', nonce: 'old' },
    ...{ openedAt, challengedAt: openedAt + 5000 },
    ...change,
  });

const ideal = { bank: 'ideal' } as const;
const paymentId = 'pi_1' as PaymentId;

test.each<[what: string, change: AttemptChange, request: Parameters<typeof leavesBank>[1]]>([
  ['a card after the page of a bank', ideal, { nonce: 'new' }],
  ['another bank', ideal, { nonce: 'new', bank: 'bancontact', isEntered: true }],
  ['a card after a wallet’s page', { wallet: 'paypal' }, { nonce: 'new' }],
  ['a card that was entered during a challenge', {}, { nonce: 'new', isEntered: true }],
  ['a bank after a challenge', {}, { nonce: 'new', ...ideal, isEntered: true }],
  ['a card after a return', { state: 'returned' }, { nonce: 'new', isEntered: true }],
])('return from the bank: %s replaces the challenged method', (_, change, request) => {
  for (const gateway of ['stripe', 'braintree'] as const)
    expect(leavesBank(away({ gateway, ...change }), request)).toBe(true);
});

test.each<[what: string, change: AttemptChange, request: Parameters<typeof leavesBank>[1]]>([
  ['the same bank', ideal, { nonce: 'new', ...ideal, isEntered: true }],
  ['the same wallet', { wallet: 'paypal' }, { nonce: 'new', wallet: 'paypal', isEntered: true }],
  ['the same nonce', ideal, { nonce: 'old', isEntered: true }],
  ['no nonce', ideal, { nonce: null, isEntered: true }],
  ['the nonce that the bank verified', {}, { nonce: 'new' }],
  ['the payment that the bank confirmed', {}, { nonce: 'new', isEntered: true, paymentId }],
  ['an attempt that was not challenged', { state: 'sent' }, { nonce: 'new', isEntered: true }],
  ['an attempt that is open', { state: 'open' }, { nonce: 'new', isEntered: true }],
  ['an attempt that is rerouted', { state: 'rerouted' }, { nonce: 'new', isEntered: true }],
  ['an attempt that was paid', { state: 'active' }, { nonce: 'new', isEntered: true }],
])('return from the bank: %s replaces nothing', (_, change, request) => {
  for (const gateway of ['stripe', 'braintree'] as const)
    expect(leavesBank(away({ gateway, ...change }), request)).toBe(false);
});

test('return from the bank: a payment that the payer left is cancelled at once, and stays at its gateway', () => {
  const left = leaveBank(away({ others: ['braintree'] }), now);
  expect(left).toMatchObject({ state: 'returned', challengedAt: 0, others: [], dueAt: now });
  expect(nextStep(left, now)).toBe('cancelUnpaid');
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
