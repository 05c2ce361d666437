import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countsAsCardAttempt } from '../../../../worker/payments/fraud/rules/card-limits.ts';
import {
  asCardAttempt,
  type CardUpdate,
  cardMachine,
  isFinalUpdate,
  newCardUpdate,
  type PayOutcome,
  type VerifyOutcome,
} from '../../../../worker/payments/purchase/card-update.ts';
import { type Minor, minor } from '../../../../worker/platform/types.ts';

const { applyOutcome, expire, nextStep, resume } = cardMachine;
const applyDefault = (update: CardUpdate, due: Minor, now: number) =>
  applyOutcome(update, { kind: 'default', due }, now);
const retry = (update: CardUpdate, now: number) => applyOutcome(update, { kind: 'unknown' }, now);

const minute = 60_000;
const start = (gateway: CardUpdate['gateway'] = 'stripe') =>
  newCardUpdate(
    { id: 'u', key: 'k', gateway, nonce: 'n', deviceData: 'd', agreed: minor(3999) },
    1_000_000,
  );

const card = { brand: 'Visa', last4: '4242', month: 12, year: 2030 };
const saved: VerifyOutcome = { kind: 'saved', methodId: 'pm_1', card };
const challenge = { kind: 'challenge', intentId: 'i', secret: 's' } as const;
const declined = { kind: 'declined', declineCode: 'x', processorResponse: '' } as const;

test('card update: the card is verified, becomes the default, and pays the open amount', () => {
  const verified = applyOutcome(start(), saved, 1_000_100);
  expect(nextStep(verified, 1_000_100)).toBe('setDefault');
  const paying = applyDefault(verified, minor(3999), 1_000_200);
  expect(nextStep(paying, 1_000_200)).toBe('pay');
  expect(applyOutcome(paying, { kind: 'nothing_due' }, 1_000_300)).toMatchObject({
    state: 'done',
    payment: 'paid',
    deviceData: null,
  });
});

test('card update: an amount that is zero, or more than was shown, is not charged', () => {
  const verified = applyOutcome(start(), saved, 1_000_100);
  expect(applyDefault(verified, minor(0), 1)).toMatchObject({ state: 'done', payment: 'none' });
  expect(applyDefault(verified, minor(4000), 1)).toMatchObject({
    state: 'done',
    payment: 'unpaid',
  });
});

test('card update: a challenge waits for ten minutes', () => {
  const challenged = applyOutcome(start(), challenge, 1_000_000);
  expect(nextStep(challenged, 1_000_000 + 9 * minute)).toBe('nothing');
  expect(nextStep(challenged, 1_000_000 + 11 * minute)).toBe('expire');
  expect(nextStep(resume(challenged, 'n', 1_000_001), 1_000_001)).toBe('verify');
});

test('card update: each step ends at its time limit', () => {
  const opened = 1_000_000;
  const challenged = applyOutcome(start(), challenge, opened);
  const back = resume(challenged, 'n', opened);
  const cardVerified = applyOutcome(start(), saved, opened);
  const paying = applyDefault(cardVerified, minor(3999), opened);
  const day = 24 * 60 * minute;
  for (const [update, limit, step] of [
    [start(), 20 * minute, 'verify'],
    [challenged, 10 * minute, 'nothing'],
    [back, 10 * minute, 'verify'],
    [cardVerified, day, 'setDefault'],
    [paying, day, 'pay'],
  ] as const) {
    expect(nextStep(update, opened + limit)).toBe(step);
    expect(nextStep(update, opened + limit + 1)).toBe('expire');
  }
});

test('card update: the bank challenges the payer at most three times', () => {
  let update = start();
  for (const round of [1, 2, 3]) {
    update = resume(applyOutcome(update, challenge, round), 'n', round);
    expect(update).toMatchObject({ state: 'returned', rounds: round, challengedAt: 1 });
    expect(applyOutcome(start(), challenge, round).dueAt).toBe(round + 10 * minute + 1000);
  }
  expect(applyOutcome(update, challenge, 4).state).toBe('failed');
});

test('card update: the smallest open amount is charged', () => {
  const cardVerified = applyOutcome(start(), saved, 1_000_100);
  expect(applyDefault(cardVerified, minor(1), 1)).toMatchObject({
    state: 'paying',
    tries: 0,
    dueAt: 1,
  });
});

test('card update: a saved card whose payment is declined counts as declined', () => {
  const cardVerified = applyOutcome(start(), saved, 1);
  const unpaid = applyOutcome(applyDefault(cardVerified, minor(3999), 1), declined, 2);
  expect(unpaid).toMatchObject({ state: 'done', payment: 'unpaid', declineCode: 'x' });
  expect(asCardAttempt(unpaid).state).toBe('declined');
  expect(asCardAttempt(applyDefault(cardVerified, minor(4000), 1)).state).toBe('failed');
});

test('card update: each step retries from the shortest wait again', () => {
  const waitAfter = (update: CardUpdate) => retry(update, 1_000_000).dueAt - 1_000_000;
  const verified = applyOutcome(retry(start(), 1_000_000), saved, 1_000_000);
  const paying = applyDefault(retry(verified, 1_000_000), minor(3999), 1_000_000);
  const challenged = applyOutcome(retry(start(), 1_000_000), challenge, 1_000_000);
  const returned = resume(challenged, 'n', 1_000_000);
  expect([verified, paying, returned].map(waitAfter)).toEqual([250, 250, 250]);
});

test('card update: at Braintree the same nonce does not answer a challenge', () => {
  const challenged = applyOutcome(start('braintree'), challenge, 1_000_000);
  expect(resume(challenged, 'n', 1_000_001)).toBe(challenged);
  expect(resume(challenged, 'verified', 1_000_001)).toMatchObject({
    state: 'open',
    nonce: 'verified',
    challengedNonce: 'n',
  });
});

test('card update: a saved card stays when its payment ends', () => {
  const paying = applyDefault(applyOutcome(start(), saved, 1), minor(3999), 1);
  const challenged = applyOutcome(paying, challenge, 2);
  for (const update of [paying, challenged]) {
    expect(expire(update)).toMatchObject({ state: 'done', payment: 'unpaid' });
  }
  expect(expire(applyOutcome(start(), challenge, 1)).state).toBe('failed');
});

test('card update: the limits count a card that was only verified, and not one that paid', () => {
  const cardVerified = applyOutcome(start(), saved, 1);
  const paid = applyOutcome(applyDefault(cardVerified, minor(3999), 1), { kind: 'nothing_due' }, 2);
  const counted = [cardVerified, applyDefault(cardVerified, minor(0), 1), paid].map((update) => {
    const attempt = asCardAttempt(update);
    return [attempt.state, countsAsCardAttempt(attempt)];
  });
  expect(counted).toEqual([
    ['open', true],
    ['failed', true],
    ['active', false],
  ]);
  const states = [
    start(),
    applyOutcome(start(), challenge, 1),
    applyOutcome(start(), declined, 1),
  ].map((update) => asCardAttempt(update).state);
  expect(states).toEqual(['open', 'sent', 'declined']);
});

const verified = fc.constantFrom<VerifyOutcome>(saved, challenge, declined, {
  kind: 'rejected',
});
const paid = fc.constantFrom<PayOutcome>(
  challenge,
  declined,
  { kind: 'nothing_due' },
  { kind: 'unknown' },
);
/** Null means no response. */
const outcome = fc.record({
  verified: fc.option(verified),
  paid: fc.option(paid),
  later: fc.integer({ min: 0, max: 20 * minute }),
});

test('card update: whatever the gateway answers, nothing is charged before the card is the default', () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 30 }), fc.boolean(), (all, back) => {
      let [update, now, isDefault] = [start(), 1_000_000, false];
      for (const reply of all) {
        const { later } = reply;
        now += later;
        if (back) update = resume(update, `n${now}`, now);
        const step = nextStep(update, now);
        if (step === 'pay' || step === 'lookUpPayment') expect(isDefault).toBe(true);
        const before = update;
        if (step === 'expire') update = expire(update);
        else if (step === 'setDefault') {
          isDefault = true;
          update = applyDefault(update, minor(3999), now);
        } else if (step === 'verify' && reply.verified) {
          update = applyOutcome(update, reply.verified, now);
        } else if ((step === 'pay' || step === 'lookUpPayment') && reply.paid) {
          update = applyOutcome(update, reply.paid, now);
        } else if (step !== 'nothing') update = retry(update, now);
        if (isFinalUpdate(before)) expect(update).toEqual(before);
        if (update.payment === 'paid') expect(update.methodId).not.toBeNull();
      }
    }),
  );
});
