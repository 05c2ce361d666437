import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyOutcome,
  applyProgress,
  applyWebhook,
  isFinal,
  markFailed,
  nextStep,
  resumeAfterChallenge,
} from '../../../../worker/payments/purchase/attempt.ts';
import { sendLimitMs } from '../../../../worker/payments/purchase/gateway-try.ts';
import { operatorCaseAfterMs } from '../../../../worker/payments/purchase/operator-case.ts';
import type {
  Attempt,
  AttemptState,
  GatewayOutcome,
} from '../../../../worker/payments/purchase/state.ts';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { type AttemptChange, attempt as anAttempt, charge } from '../attempts/attempt-fixture.ts';

const minute = 60_000;

const openedAt = Date.UTC(2026, 10, 22);
/** A time in ms after the click. */
const at = (ms: number) => openedAt + ms;
const attempt = (change: AttemptChange = {}) => anAttempt({ openedAt, dueAt: openedAt, ...change });

const states: AttemptState[] = [
  'open',
  'sent',
  'challenged',
  'returned',
  'rerouted',
  'active',
  'declined',
  'failed',
];

const finals: AttemptState[] = ['active', 'declined', 'failed'];

const sent = (one: Attempt, now = at(1)) => applyProgress(one, { sentAt: now });

const later = (ms: number) => at(sendLimitMs + ms);

const active: GatewayOutcome = { kind: 'active', charge };

const challenge: GatewayOutcome = {
  kind: 'challenge',
  paymentId: paymentIdOf('pi'),
  secret: 'pi_secret_1',
};

const declined: GatewayOutcome = {
  kind: 'declined',
  declineCode: 'stolen_card',
  processorResponse: 'No',
};

const rejected: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

const outcomes: GatewayOutcome[] = [
  active,
  challenge,
  declined,
  rejected,
  { kind: 'unavailable', reason: 'down' },
  { kind: 'unfinished' },
  { kind: 'none' },
  { kind: 'unknown' },
];

/** Events of an attempt's life: the alarm gets an outcome, the payer returns, time passes. */
const events = fc.array(
  fc.oneof(
    fc.constantFrom(...outcomes).map((outcome) => ({ kind: 'job' as const, outcome })),
    fc.constant({ kind: 'back' as const }),
    fc.nat(15 * minute).map((ms) => ({ kind: 'wait' as const, ms })),
  ),
  { maxLength: 60 },
);

interface Moment {
  before: Attempt;
  after: Attempt;
  now: number;
  charged: boolean;
}

/** Every change in a random life, as the account's object would make it. */
function live(script: typeof events extends fc.Arbitrary<infer Script> ? Script : never): Moment[] {
  let now = openedAt;
  let standing = attempt();
  return script.map((event) => {
    const before = standing;
    let charged = false;
    if (event.kind === 'wait') now += event.ms;
    if (event.kind === 'back') standing = resumeAfterChallenge(standing, null, now);
    if (event.kind === 'job' && standing.dueAt <= now) {
      const step = nextStep(standing, now);
      charged = step === 'charge';
      if (step === 'expire') standing = markFailed(standing);
      else if (step !== 'nothing')
        standing = applyOutcome(charged ? sent(standing, now) : standing, event.outcome, now);
    }
    return { before, after: standing, now, charged };
  });
}

/** An invariant at every moment of any life. */
const always = (rule: (moment: Moment) => void) =>
  fc.assert(
    fc.property(events, (script) => live(script).forEach(rule)),
    { numRuns: 2000 },
  );

test('attempt: a final state never changes', () => {
  for (const state of finals) {
    const over = attempt({ state });
    for (const outcome of outcomes) expect(applyOutcome(over, outcome, at(1))).toBe(over);
    expect([sent(over), resumeAfterChallenge(over, null, at(1)), markFailed(over)]).toEqual([
      over,
      over,
      over,
    ]);
    expect(nextStep(over, later(1))).toBe('nothing');
  }
  always(({ before, after }) => {
    if (isFinal(before.state)) expect(after).toBe(before);
  });
});

test('attempt: active, declined and failed are final', () => {
  expect(states.filter(isFinal)).toEqual(finals);
});

test('attempt: every change increases the version', () => {
  always(({ before, after }) => {
    if (after === before) return;
    expect(after.version).toBeGreaterThan(before.version);
  });
});

test('attempt: nothing is sent later than 10 minutes after the click', () => {
  always(({ before, charged, now }) => {
    if (charged) expect(now - before.openedAt).toBeLessThanOrEqual(sendLimitMs);
  });
  for (const state of states) {
    for (let tries = 0; tries < 10; tries++) {
      expect(nextStep(attempt({ state, tries, challengedAt: openedAt }), later(1))).not.toBe(
        'charge',
      );
    }
  }
});

test('attempt: has a step now or at its due time while it is pending', () => {
  always(({ after, now }) => {
    if (isFinal(after.state) || nextStep(after, now) !== 'nothing') return;
    expect(after.dueAt).toBeGreaterThan(now - sendLimitMs);
    expect(nextStep(after, Math.max(now, after.dueAt))).toBe('cancelUnpaid');
  });
});

test('attempt: each challenge of the bank is counted, and all count from the first one', () => {
  const once = applyOutcome(attempt({ state: 'sent' }), challenge, at(minute));
  expect(once).toMatchObject({
    rounds: 1,
    challengedAt: at(minute),
    dueAt: at(11 * minute + 1000),
  });
  const again = applyOutcome({ ...once, state: 'sent' }, challenge, at(2 * minute));
  expect(again).toMatchObject({
    rounds: 2,
    challengedAt: at(minute),
    dueAt: at(11 * minute + 1000),
  });
});

test('attempt: the buyer’s IP address is deleted once the outcome is known', () => {
  const taxLocation = { country: 'DE', market: 'euro', ip: '1.2.3.4' } as const;
  const before = attempt({ state: 'sent', taxLocation });
  expect(applyOutcome(before, challenge, at(1))).toMatchObject({
    taxLocation,
    version: before.version + 1,
  });
  for (const outcome of [active, declined, rejected]) {
    const after = applyOutcome(before, outcome, at(1));
    expect(after.taxLocation).toEqual({ ...taxLocation, ip: null });
    expect(after.version).toBe(before.version + 1);
  }
  expect(applyOutcome(attempt({ state: 'sent' }), active, at(1)).taxLocation ?? null).toBeNull();
});

test('attempt: at Braintree a third challenge ends it, because each needs a new card nonce', () => {
  const third = (gateway: Attempt['gateway']) =>
    applyOutcome(attempt({ state: 'sent', rounds: 2, gateway }), challenge, at(minute)).state;
  expect([third('braintree'), third('stripe')]).toEqual(['failed', 'challenged']);
});

test('attempt: a webhook leads to a look-up once the answer is overdue, or while a debit is processed', () => {
  const dueAt = (state: Attempt['state'], ms: number) =>
    applyWebhook(attempt({ state, dueAt: at(1) }), at(ms)).dueAt - openedAt;
  expect([dueAt('sent', 10 * minute), dueAt('sent', 10 * minute + 1)]).toEqual([
    ...[1, 10 * minute + 1],
  ]);
  expect([dueAt('processing', 5), dueAt('challenged', 20 * minute)]).toEqual([5, 1]);
});

test('attempt: a new one is not rerouted', () => {
  expect(attempt()).toMatchObject({ isRerouted: false, rounds: 0, tries: 0, sentAt: null });
});

test('attempt: the secret is stored only during a challenge', () => {
  always(({ after }) => {
    if (after.secret !== null) expect(['challenged', 'returned']).toContain(after.state);
  });
});

test('attempt: device data is deleted once the attempt is final', () => {
  const started = attempt({ deviceData: 'a session' });
  expect(sent(started).deviceData).toBe('a session');
  expect(markFailed(sent(started)).deviceData).toBe(null);
});

test('attempt: never returns to open after it was sent', () => {
  always(({ before, after }) => {
    if (before.state !== 'open') expect(after.state).not.toBe('open');
  });
});

test('attempt: a late attempt is cancelled if it was sent, and fails if it was not', () => {
  const stepOf = (change: Partial<Attempt>) => nextStep(attempt(change), later(1));
  expect(stepOf({ state: 'open' })).toBe('expire');
  expect(stepOf({ state: 'sent' })).toBe('cancelUnpaid');
  expect(stepOf({ state: 'challenged', challengedAt: openedAt })).toBe('cancelUnpaid');
  expect(nextStep(attempt({ state: 'challenged', challengedAt: at(minute) }), later(1))).toBe(
    'nothing',
  );
});

test('attempt: may be sent, and the payer may be challenged, until the exact limit', () => {
  expect(nextStep(attempt(), later(0))).toBe('charge');
  expect(nextStep(attempt({ state: 'sent' }), later(0))).toBe('charge');
  const challenged = attempt({ state: 'challenged', challengedAt: at(minute) });
  const stepAt = (now: number) => nextStep(challenged, now);
  const limit = later(minute);
  expect([stepAt(limit), stepAt(limit + 1)]).toEqual(['nothing', 'cancelUnpaid']);
});

test('attempt: every fourth unclear answer is followed by a look-up', () => {
  const steps = [0, 1, 2, 3, 4, 7].map((tries) =>
    nextStep(attempt({ state: 'sent', tries }), at(1)),
  );
  expect(steps).toEqual(['charge', 'charge', 'charge', 'lookUp', 'charge', 'lookUp']);
});

test('attempt: is sent again at once when it is known to be unpaid', () => {
  for (const kind of ['none', 'unfinished'] as const) {
    const now = later(0);
    const unpaid = attempt({ state: 'sent' });
    expect(applyOutcome(unpaid, { kind }, now).dueAt).toBe(now);
    expect(applyOutcome(unpaid, { kind }, now + 1).dueAt).toBeGreaterThan(now + 1);
  }
});

test('attempt: a returned payer’s payment is looked up at once, and may be challenged again', () => {
  const challenged = applyOutcome(attempt({ state: 'sent' }), challenge, at(1000));
  expect(challenged).toMatchObject({
    state: 'challenged',
    secret: 'pi_secret_1',
    challengedAt: at(1000),
  });
  const back = resumeAfterChallenge(challenged, null, at(2000));
  expect([back.state, back.dueAt, nextStep(back, at(2000))]).toEqual([
    'returned',
    at(2000),
    'lookUp',
  ]);
  expect(applyOutcome(back, challenge, at(3000))).toMatchObject({
    state: 'challenged',
    challengedAt: at(1000),
  });
});

test('attempt: a decline stores the bank’s answer, a success the charge', () => {
  expect(applyOutcome(attempt({ state: 'sent' }), declined, at(1))).toMatchObject({
    state: 'declined',
    declineCode: 'stolen_card',
    processorResponse: 'No',
  });
  expect(applyOutcome(attempt({ state: 'sent' }), active, at(1))).toMatchObject({
    state: 'active',
    charge: { amount: 3999 },
  });
  expect(applyOutcome(attempt({ state: 'sent' }), rejected, at(1)).state).toBe('failed');
});

test('attempt: at Braintree an attempt is looked up and never sent again', () => {
  for (let tries = 0; tries < 10; tries += 1) {
    const one = attempt({ gateway: 'braintree', state: 'sent', sentAt: at(1), tries });
    expect(nextStep(one, at(2))).toBe('cancelUnpaid');
  }
});

test('attempt: at Braintree a verified nonce may be sent once, within the limit', () => {
  const challenged = applyOutcome(
    sent(attempt({ gateway: 'braintree', nonce: 'a' })),
    challenge,
    at(1000),
  );
  const back = resumeAfterChallenge(challenged, 'b', at(2000));
  expect(back).toMatchObject({
    state: 'open',
    nonce: 'b',
    challengedNonce: 'a',
    challengedAt: at(1000),
  });
  const challengedAgain = { ...back, state: 'challenged' as const };
  expect(resumeAfterChallenge(challengedAgain, 'c', at(3000))).toMatchObject({
    nonce: 'c',
    challengedNonce: 'a',
  });
  const saved = { ...challenged, nonce: null, secret: 's#411111' };
  expect(resumeAfterChallenge(saved, 'b', at(2000))).toMatchObject({
    nonce: 'b',
    challengedNonce: 's',
  });
  expect([nextStep(back, at(2000)), nextStep(back, later(1))]).toEqual(['charge', 'expire']);
  expect(applyProgress(back, { sentAt: at(3000) })).toMatchObject({
    state: 'sent',
    sentAt: at(3000),
  });
});

test('attempt: progress stores ids without a change of state', () => {
  expect(applyProgress(attempt(), { paymentId: paymentIdOf('a') })).toMatchObject({
    state: 'open',
    paymentId: 'a',
  });
});

test('attempt: an outcome unknown for a day becomes an operator case, is reported daily, and never fails', () => {
  const unknown = (one: Attempt, ms: number) => applyOutcome(one, { kind: 'unknown' }, at(ms));
  const sent = attempt({ state: 'sent' });
  expect(unknown(sent, operatorCaseAfterMs - 1)).toMatchObject({ state: 'sent', caseAt: null });
  const withCase = unknown(sent, operatorCaseAfterMs);
  expect(withCase).toMatchObject({
    state: 'sent',
    caseAt: at(operatorCaseAfterMs),
    dueAt: at(operatorCaseAfterMs + 60 * minute),
  });
  expect(unknown(withCase, operatorCaseAfterMs + minute).caseAt).toBe(at(operatorCaseAfterMs));
  expect(unknown(withCase, 2 * operatorCaseAfterMs).caseAt).toBe(at(2 * operatorCaseAfterMs));
});

test('attempt: late look-ups have a delay', () => {
  for (const kind of ['none', 'unfinished'] as const) {
    expect(applyOutcome(attempt({ state: 'sent' }), { kind }, later(1)).dueAt).toBe(
      later(1) + 5 * minute,
    );
  }
});

test('attempt: a webhook makes an overdue look-up due at once', () => {
  const waiting = attempt({ state: 'sent', dueAt: at(10 * operatorCaseAfterMs) });
  expect(applyWebhook(waiting, at(operatorCaseAfterMs)).dueAt).toBe(at(operatorCaseAfterMs));
  expect(applyWebhook(waiting, at(minute))).toBe(waiting);
  const over = attempt({ state: 'declined' });
  expect(applyWebhook(over, at(operatorCaseAfterMs))).toBe(over);
});
