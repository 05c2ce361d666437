import { expect, test } from 'vitest';
import {
  type Attempt,
  applyOutcome,
  applyProgress,
  applyWebhook,
  type GatewayOutcome,
  nextStep,
  operatorCaseAfterMs,
  resumeAfterChallenge,
  sendLimitMs,
} from '../../../../worker/payments/rules/attempt.ts';
import { attempt } from '../attempt-fixture.ts';

const minute = 60_000;
const sent = (one: Attempt, now = 1) => applyProgress(one, { sentAt: now });
const later = (at: number) => sendLimitMs + at;

const challenge: GatewayOutcome = { kind: 'challenge', paymentId: 'pi', secret: 'pi_secret_1' };
const _declined: GatewayOutcome = {
  kind: 'declined',
  declineCode: 'stolen_card',
  processorResponse: 'No',
};

test('attempt: Braintree’s is looked up and never sent again', () => {
  for (let tries = 0; tries < 10; tries += 1) {
    const one = attempt({ gateway: 'braintree', state: 'sent', sentAt: 1, tries });
    expect(nextStep(one, 2)).toBe('cancelUnpaid');
  }
});

test('attempt: at Braintree a verified nonce may be sent once, within the limit', () => {
  const asked = applyOutcome(sent(attempt({ gateway: 'braintree', nonce: 'a' })), challenge, 1000);
  const back = resumeAfterChallenge(asked, 'b', 2000);
  expect(back).toMatchObject({ state: 'open', nonce: 'b', challengedAt: 1000 });
  expect([nextStep(back, 2000), nextStep(back, later(1))]).toEqual(['charge', 'fail']);
  expect(applyProgress(back, { sentAt: 3000 })).toMatchObject({ state: 'sent', sentAt: 3000 });
});

test('attempt: progress stores ids without a change of state', () => {
  expect(applyProgress(attempt(), { paymentId: 'a' })).toMatchObject({
    state: 'open',
    paymentId: 'a',
  });
});

test('attempt: an outcome unknown for a day is a case, then daily, and never a failure', () => {
  const unknown = (one: Attempt, now: number) => applyOutcome(one, { kind: 'unknown' }, now);
  const sent = attempt({ state: 'sent' });
  expect(unknown(sent, operatorCaseAfterMs - 1)).toMatchObject({ state: 'sent', caseAt: null });
  const told = unknown(sent, operatorCaseAfterMs);
  expect(told).toMatchObject({
    state: 'sent',
    caseAt: operatorCaseAfterMs,
    dueAt: operatorCaseAfterMs + 60 * minute,
  });
  expect(unknown(told, operatorCaseAfterMs + minute).caseAt).toBe(operatorCaseAfterMs);
  expect(unknown(told, 2 * operatorCaseAfterMs).caseAt).toBe(2 * operatorCaseAfterMs);
});

test('attempt: late look-ups have a delay', () => {
  for (const kind of ['none', 'unfinished'] as const) {
    expect(applyOutcome(attempt({ state: 'sent' }), { kind }, later(1)).dueAt).toBe(
      later(1) + 5 * minute,
    );
  }
});

test('attempt: a webhook makes an overdue look-up due at once', () => {
  const waiting = attempt({ state: 'sent', dueAt: 10 * operatorCaseAfterMs });
  expect(applyWebhook(waiting, operatorCaseAfterMs).dueAt).toBe(operatorCaseAfterMs);
  expect(applyWebhook(waiting, minute)).toBe(waiting);
  const over = attempt({ state: 'declined' });
  expect(applyWebhook(over, operatorCaseAfterMs)).toBe(over);
});
