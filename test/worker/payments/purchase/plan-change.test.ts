import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import {
  currencies,
  isChargeable,
  multipleOf,
} from '../../../../worker/catalog/rules/currencies.ts';
import type { ChangeKind, PlanChange } from '../../../../worker/payments/purchase/change-state.ts';
import {
  applyChangeProgress,
  changeMachine,
  changeTerms,
  confirmChange,
  isQuoteExpired,
  mayChallenge,
  mayStart,
  unusedCredit,
} from '../../../../worker/payments/purchase/plan-change.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { epochMs, minor, paymentIdOf } from '../../../../worker/platform/types.ts';

const openedAt = Date.UTC(2026, 10, 22);
const minuteMs = 60_000;

/** A change that was sent and has no result yet. */
const sent = (tries: number) =>
  ({ state: 'sent', openedAt, tries, caseAt: null, dueAt: openedAt }) as unknown as PlanChange;

const change = (more: Partial<PlanChange> = {}): PlanChange => ({ ...sent(2), rounds: 0, ...more });

test('plan change: only a pending one is changed by a result or by progress', () => {
  const outcome = { kind: 'done' } as const;
  for (const state of ['quoted', 'done', 'declined', 'failed'] as const) {
    const before = change({ state });
    expect(changeMachine.applyOutcome(before, outcome, openedAt)).toBe(before);
    expect(applyChangeProgress(before, { sentAt: openedAt })).toBe(before);
  }
  for (const state of ['open', 'sent', 'challenged'] as const) {
    expect(changeMachine.applyOutcome(change({ state }), outcome, openedAt).state).toBe('done');
    expect(applyChangeProgress(change({ state }), { sentAt: openedAt }).state).toBe('sent');
  }
  const paymentId = paymentIdOf('pi_1');
  const paid = applyChangeProgress(change({ state: 'open' }), { paymentId });
  expect(paid).toMatchObject({ state: 'open', paymentId });
});

test('plan change: a final result ends the challenge, and a payment is remembered', () => {
  const challenged = change({
    state: 'challenged',
    challenge: { intentId: 'pi_0', secret: 's' },
    paymentId: paymentIdOf('pi_0'),
  });
  const after = (outcome: Parameters<typeof changeMachine.applyOutcome>[1]) =>
    changeMachine.applyOutcome(challenged, outcome, openedAt);
  const payment = { id: paymentIdOf('pi_1'), amount: minor(1) };
  const gone = { challenge: null, paymentId: 'pi_0' };
  expect(after({ kind: 'done' })).toMatchObject({ ...gone, state: 'done' });
  expect(after({ kind: 'done', payment }).paymentId).toBe('pi_1');
  expect(after({ kind: 'declined' })).toMatchObject({ ...gone, state: 'declined' });
  expect(after({ kind: 'none' })).toMatchObject({ ...gone, state: 'failed' });
});

test('plan change: the bank challenges the payer at most twice, and within ten minutes', () => {
  const challenge = { kind: 'challenge', intentId: null, secret: 's' } as const;
  const now = openedAt + minuteMs;
  const challenged = changeMachine.applyOutcome(change(), challenge, now);
  expect(challenged).toMatchObject({
    state: 'challenged',
    challenge: { intentId: null, secret: 's' },
    challengedAt: now,
    rounds: 1,
    dueAt: now + 10 * minuteMs,
  });
  expect(mayChallenge(challenged, now)).toBe(false);
  const again = { ...challenged, state: 'sent' } as const;
  expect(mayChallenge(again, openedAt + 10 * minuteMs)).toBe(true);
  expect(mayChallenge(again, openedAt + 10 * minuteMs + 1)).toBe(false);
  expect(mayChallenge({ ...again, rounds: 2 }, now)).toBe(false);
});

test('plan change: after the challenge it is sent on, or starts again with the verified card', () => {
  const waiting = change({ state: 'challenged', challenge: { intentId: 'pi', secret: 's' } });
  const now = openedAt + minuteMs;
  const back = { dueAt: now, tries: 0 };
  expect(changeMachine.resume(waiting, null, now)).toMatchObject({
    ...back,
    state: 'sent',
    challenge: null,
  });
  const card = { ...waiting, challenge: { intentId: null, secret: 's' } };
  expect(changeMachine.resume(card, 'nonce', now)).toMatchObject({
    ...back,
    state: 'open',
    nonce: 'nonce',
  });
  expect(changeMachine.resume(card, null, now)).toBe(card);
  const other = change();
  expect(changeMachine.resume(other, 'nonce', now)).toBe(other);
});

test('plan change: a quote is valid for 15 minutes', () => {
  const quoted = change({ state: 'quoted', quotedAt: epochMs(openedAt) });
  expect(isQuoteExpired(quoted, openedAt + 15 * minuteMs)).toBe(false);
  expect(isQuoteExpired(quoted, openedAt + 15 * minuteMs + 1)).toBe(true);
});

test('plan change: it starts when its quote is confirmed, and until half a minute before ten minutes', () => {
  const now = openedAt + minuteMs;
  const quoted = change({ state: 'quoted' });
  expect(confirmChange(quoted, now)).toMatchObject({ state: 'open', openedAt: now, dueAt: now });
  const open = change();
  expect(confirmChange(open, now)).toBe(open);
  expect(mayStart(open, openedAt + 9.5 * minuteMs)).toBe(true);
  expect(mayStart(open, openedAt + 9.5 * minuteMs + 1)).toBe(false);
});

test.each([
  ['before it', -1, 3000],
  ['at its start', 0, 3000],
  ['after a third', 10, 2000],
  ['at its end', 30, 0],
  ['after its end', 31, 0],
])('unused days: the value of a period of 30 days %s', (_, days, value) => {
  const day = 24 * 60 * minuteMs;
  const period = { paid: minor(3000), from: epochMs(0), until: epochMs(30 * day) };
  expect(unusedCredit(period, days * day, 'USD')).toBe(value);
});

test('unused days: only the share of the period that is left counts, whenever the period began', () => {
  const period = {
    paid: minor(3000),
    from: epochMs(openedAt),
    until: epochMs(openedAt + 30 * minuteMs),
  };
  for (const minutes of [0, 3, 15, 29, 30]) {
    expect(unusedCredit(period, openedAt + minutes * minuteMs, 'USD')).toBe(100 * (30 - minutes));
  }
});

test('unused days: their value can be charged in every currency, and is right to half a step', () => {
  const length = 30 * 24 * 60 * minuteMs;
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.integer({ min: 1, max: 90_000 }),
      fc.integer({ min: 0, max: length }),
      (currency, steps, at) => {
        const paid = minor(steps * multipleOf(currency));
        const credit = unusedCredit(
          { paid, from: epochMs(0), until: epochMs(length) },
          at,
          currency,
        );
        expect(isChargeable(credit, currency)).toBe(true);
        const exact = (paid * (length - at)) / length;
        expect(Math.abs(credit - exact)).toBeLessThanOrEqual(multipleOf(currency) / 2 + 1e-6);
      },
    ),
  );
});

test('unused days: a period without a length has no value', () => {
  expect(unusedCredit({ paid: minor(3000), from: epochMs(5), until: epochMs(5) }, 0, 'USD')).toBe(
    0,
  );
});

const paidUntil = epochMs(Date.UTC(2026, 11, 10));
const pausesUntil = epochMs(Date.UTC(2027, 1, 10));

const at = (month: number, day: number) => Date.UTC(2027, month - 1, day);

test.each<[kind: ChangeKind, stored: Partial<Subscription>, terms: object]>([
  [
    'upgrade',
    { paidUntil },
    {
      due: 5999,
      takesEffectAt: openedAt,
      until: null,
      next: { amount: 5999, at: at(2, 22) },
    },
  ],
  [
    'switch',
    { paidUntil },
    { due: 0, takesEffectAt: paidUntil, next: { amount: 5999, at: paidUntil } },
  ],
  [
    'pause',
    { paidUntil },
    { due: 0, takesEffectAt: paidUntil, until: at(2, 10), next: { at: at(2, 10) } },
  ],
  [
    'resume',
    { paidUntil, pausesUntil },
    { due: 0, takesEffectAt: openedAt, until: pausesUntil, next: { at: paidUntil } },
  ],
  [
    'resume',
    { paidUntil: epochMs(openedAt), pausesUntil },
    { due: 5999, takesEffectAt: openedAt, until: pausesUntil, next: { at: at(2, 22) } },
  ],
  ['continue', { paidUntil }, { due: 0, takesEffectAt: paidUntil, until: null }],
  ['switch', { paidUntil: null }, { takesEffectAt: openedAt, next: { at: openedAt } }],
])('plan change: the terms of %s with %o', (kind, stored, terms) => {
  const subscription = { paidUntil, pausesUntil: null, ...stored } as Subscription;
  const request = { kind, plan: builtInCatalog.planOf('quarterly', 'EUR'), months: 2 };
  expect(changeTerms(subscription, request, null, openedAt)).toMatchObject(terms);
});
