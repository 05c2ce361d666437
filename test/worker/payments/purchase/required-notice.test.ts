import { expect, test } from 'vitest';
import type { Plan } from '../../../../worker/catalog/rules/plans.ts';
import { afterCheck, afterSending } from '../../../../worker/payments/purchase/required-notice.ts';
import {
  clearReminder,
  requestCancellation,
} from '../../../../worker/payments/purchase/subscription.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs } from '../../../../worker/platform/types.ts';
import { attempt, charge, planNamed } from '../attempts/attempt-fixture.ts';
import { trialPlan } from '../trial-plan.ts';

const day = 86_400_000;
const start = Date.UTC(2027, 0, 15);

/** A subscription whose reminder was queued. */
function reminded(plan: Plan, renews: number) {
  const bought = attempt({ id: 'a', plan, state: 'active', charge, openedAt: start } as never);
  const { subscription } = startSubscription({ ...bought, plan }, start);
  return clearReminder({ ...subscription, plan, paidUntil: epochMs(renews) }, true);
}

const trialEnds = start + 14 * day;
const yearEnds = start + 365 * day;
const trial = { ...reminded(trialPlan(), trialEnds), trialUntil: epochMs(trialEnds) };
const yearly = reminded({ ...planNamed('monthly_usd'), period: 'year' }, yearEnds);
const intro = reminded(planNamed('monthly_7d_usd'), start + 7 * day);
const trialMail = 'renewal_reminder:a';
const yearlyMail = `renewal_reminder:a:${yearEnds}`;
const wait = (at: number) => ({ mailId: 'm', checkAt: epochMs(at) });

test.each([
  ['a trial’s', trial, trialMail, trialEnds - 7 * day],
  ['a yearly plan’s', yearly, yearlyMail, yearEnds - 21 * day],
])('required notice: %s is asked about after three days, or stops the charge', (_, of, id, now) => {
  const sent = { id, isSent: true, mailId: 'm' };
  expect(afterSending(of, sent, now)).toEqual(wait(now + 3 * day));
  expect(afterSending(of, { ...sent, mailId: null }, now)).toBe('charge');
  expect(afterSending(of, { ...sent, isSent: false, mailId: null }, now)).toBe('stop');
});

test.each([
  ['the reminder of a paid intro', intro, trialMail],
  ['an earlier renewal’s', yearly, `renewal_reminder:a:${start}`],
  ['another e-mail', yearly, 'price_raise:a:1'],
  ['one after a cancellation', requestCancellation(yearly, start), yearlyMail],
  ['one after the renewal', { ...yearly, paidUntil: epochMs(yearEnds + 365 * day) }, yearlyMail],
  ['one of a failed renewal', { ...yearly, status: 'past_due' as const }, yearlyMail],
])('required notice: %s stops nothing', (_, of, id) => {
  expect(afterSending(of, { id, isSent: false, mailId: null }, yearEnds - 20 * day)).toBeNull();
});

test.each([
  ['bounced', true, 4, 'stop'],
  ['delivered', false, 4, 'charge'],
  ['unknown', null, 4, wait(trialEnds - 3 * day)],
  ['unknown on the last day', null, 1.5, 'charge'],
] as const)('required notice: %s', (_, hasBounced, daysBefore, step) => {
  const of = { ...trial, noticeMail: wait(trialEnds) };
  expect(afterCheck(of, hasBounced, trialEnds - daysBefore * day)).toEqual(step);
});

test('required notice: a bounce that is read after a cancellation stops nothing more', () => {
  const of = { ...requestCancellation(trial, start), noticeMail: wait(trialEnds) };
  expect(afterCheck(of, true, trialEnds - 4 * day)).toBe('charge');
});
