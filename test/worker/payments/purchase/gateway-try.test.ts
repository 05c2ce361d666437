import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyOutcome,
  markFailed,
  nextStep,
  resumeAfterChallenge,
} from '../../../../worker/payments/purchase/attempt.ts';
import { cardMachine, newCardUpdate } from '../../../../worker/payments/purchase/card-update.ts';
import type { PlanChange } from '../../../../worker/payments/purchase/change-state.ts';
import { sendLimitMs } from '../../../../worker/payments/purchase/gateway-try.ts';
import { changeMachine } from '../../../../worker/payments/purchase/plan-change.ts';
import type { GatewayName, GatewayTry } from '../../../../worker/payments/purchase/state.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { attempt, charge } from '../attempts/attempt-fixture.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const openedAt = Date.UTC(2026, 10, 22);
const gateways: GatewayName[] = ['stripe', 'braintree'];

/** The same machine for any kind of work, so that one script drives all three. */
interface Machine {
  nextStep(one: GatewayTry, now: number): string;
  applyOutcome(one: GatewayTry, outcome: { kind: string }, now: number): GatewayTry;
  expire(one: GatewayTry): GatewayTry;
  resume(one: GatewayTry, nonce: string | null, now: number): GatewayTry;
}

interface Work {
  machine: Machine;
  /** Just opened. */
  start(gateway: GatewayName): GatewayTry;
  success: { kind: string };
  states: string;
}

const purchase = { nextStep, applyOutcome, expire: markFailed, resume: resumeAfterChallenge };

const works: Record<string, Work> = {
  purchase: {
    machine: purchase as unknown as Machine,
    start: (gateway) => attempt({ gateway, nonce: 'n', openedAt, dueAt: openedAt }),
    success: { kind: 'active', charge } as { kind: string },
    states: 'open sent rerouted challenged returned processing active declined failed',
  },
  change: {
    machine: changeMachine as unknown as Machine,
    start: () =>
      ({
        ...{ state: 'open', openedAt, dueAt: openedAt, tries: 0, rounds: 0, nonce: null },
        ...{ challengedAt: null, challenge: null, caseAt: null, paymentId: null, amount: 0 },
      }) as unknown as PlanChange,
    success: { kind: 'done' },
    states: 'quoted open sent challenged done declined failed',
  },
  card: {
    machine: cardMachine as unknown as Machine,
    start: (gateway) =>
      newCardUpdate(
        { id: 'u', key: 'k', gateway, nonce: 'n', deviceData: null, agreed: minor(1) },
        openedAt,
      ),
    success: { kind: 'saved', methodId: 'pm', card: {} } as { kind: string },
    states: 'open challenged returned saved paying done declined failed',
  },
};

const workOf = (name: string): Work => {
  const work = works[name];
  if (!work) throw new RangeError(name);
  return work;
};

/** Each state's step in time, and after its limit. */
type Timed = [step: string, minutes: number, late: string];

const table: [work: string, gateway: GatewayName, states: Record<string, Timed>][] = [
  [
    'purchase',
    'stripe',
    {
      open: ['charge', 10, 'expire'],
      sent: ['charge', 10, 'cancelUnpaid'],
      rerouted: ['nothing', 10, 'expire'],
      challenged: ['nothing', 10, 'cancelUnpaid'],
      returned: ['lookUp', 10, 'cancelUnpaid'],
      processing: ['lookUp', 10, 'lookUp'],
    },
  ],
  ['purchase', 'braintree', { sent: ['cancelUnpaid', 10, 'cancelUnpaid'] }],
  [
    'change',
    'stripe',
    {
      open: ['change', 10, 'change'],
      sent: ['change', 10, 'change'],
      challenged: ['change', 10, 'change'],
    },
  ],
  [
    'card',
    'stripe',
    {
      open: ['verify', 20, 'expire'],
      challenged: ['nothing', 10, 'expire'],
      returned: ['verify', 10, 'expire'],
      saved: ['setDefault', 1440, 'expire'],
      paying: ['pay', 1440, 'expire'],
    },
  ],
];

test.each(table)('gateway try: what a %s at %s calls in each state', (name, gateway, states) => {
  const { machine, start, states: all } = workOf(name);
  for (const [state, [step, minutes, late]] of Object.entries(states)) {
    const one = { ...start(gateway), state, challengedAt: openedAt };
    const limit = openedAt + minutes * minute;
    const steps = [limit, limit + 1].map((now) => machine.nextStep(one, now));
    expect(steps, state).toEqual([step, late]);
  }
  if (gateway !== 'stripe') return;
  const over = all.split(' ').filter((state) => !(state in states));
  for (const state of over)
    expect(machine.nextStep({ ...start(gateway), state }, openedAt + 2 * day)).toBe('nothing');
});

/** States × events. A missing event leaves the state as it is. */
const transitions: [work: string, from: string, events: Record<string, string>][] = [
  [
    'purchase',
    'sent',
    {
      ...{ success: 'active', declined: 'declined', rejected: 'failed', expired: 'failed' },
      ...{ challenge: 'challenged', unknown: 'sent', none: 'sent' },
    },
  ],
  ['purchase', 'returned', { challenge: 'challenged', unfinished: 'returned' }],
  ['purchase', 'processing', { success: 'active', declined: 'declined', unknown: 'processing' }],
  [
    'change',
    'sent',
    {
      ...{ success: 'done', declined: 'declined', rejected: 'failed', none: 'failed' },
      ...{ challenge: 'challenged', unknown: 'sent' },
    },
  ],
  ['change', 'quoted', { success: 'quoted', unknown: 'quoted', expired: 'quoted' }],
  [
    'card',
    'open',
    {
      ...{ success: 'saved', declined: 'declined', rejected: 'failed', expired: 'failed' },
      ...{ challenge: 'challenged', unknown: 'open' },
    },
  ],
  ['card', 'saved', { default: 'paying', expired: 'failed', unknown: 'saved' }],
  [
    'card',
    'paying',
    {
      ...{ nothing_due: 'done', declined: 'done', expired: 'done' },
      ...{ challenge: 'challenged', unknown: 'paying' },
    },
  ],
];

test.each(transitions)('gateway try: a %s that is %s after each event', (name, state, events) => {
  const { machine, start, success } = workOf(name);
  const methodId = state === 'saved' || state === 'paying' ? 'pm' : null;
  const before = { ...start('stripe'), state, methodId };
  for (const [event, after] of Object.entries(events)) {
    const outcome = event === 'success' ? success : { kind: event, due: 1, charge };
    expect(machine.applyOutcome(before, outcome, openedAt + 1).state, event).toBe(after);
  }
});

test('gateway try: without an answer it waits 250 ms doubling to 8 s, then longer', () => {
  const waits = (name: string, ageMs: number, tries: number) => {
    const { machine, start } = workOf(name);
    const now = openedAt + ageMs;
    const after = machine.applyOutcome({ ...start('stripe'), tries }, { kind: 'unknown' }, now);
    return [after.dueAt - now, after.tries - tries];
  };
  for (const name of Object.keys(works)) {
    const early = [0, 1, 2, 3, 4, 5, 60].map((tries) => waits(name, sendLimitMs, tries)[0]);
    expect(early).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
    const later = [sendLimitMs + 1, day - 1, day].map((ageMs) => waits(name, ageMs, 60));
    const late = name === 'card' ? [minute, minute, minute] : [5 * minute, 5 * minute, hour];
    expect(later).toEqual(late.map((ms) => [ms, 1]));
  }
});

test('gateway try: an operator is told after a day, and daily; a card is given up instead', () => {
  for (const [name, { machine, start }] of Object.entries(works)) {
    const caseAt = (before: number | null, ageMs: number) =>
      machine.applyOutcome(
        { ...start('stripe'), ...(name !== 'card' && { caseAt: before }) },
        { kind: 'unknown' },
        openedAt + ageMs,
      ).caseAt;
    const isTold = name !== 'card';
    expect(caseAt(null, day - 1) ?? null).toBeNull();
    expect(caseAt(null, day)).toBe(isTold ? openedAt + day : undefined);
    if (isTold) expect(caseAt(openedAt + day, 2 * day - 1)).toBe(openedAt + day);
  }
});

const kinds = ['success', 'declined', 'rejected', 'challenge', 'unknown', 'default', 'nothing_due'];

const script = fc.array(
  fc.oneof(
    fc.constantFrom(...kinds).map((kind) => ({ kind, ms: 0 })),
    fc.constant({ kind: 'back', ms: 0 }),
    fc.nat(15 * minute).map((ms) => ({ kind: 'wait', ms })),
  ),
  { maxLength: 40 },
);

test.each(
  Object.keys(works).flatMap((name) => gateways.map((gateway) => [name, gateway] as const)),
)(
  'gateway try: whatever happens to a %s at %s, it keeps the rules of all tries',
  (name, gateway) => {
    const { machine, start, success, states } = workOf(name);
    const allowed = states.split(' ');
    fc.assert(
      fc.property(script, (events) => {
        let [one, now] = [start(gateway), openedAt];
        for (const { kind, ms } of events) {
          const before = one;
          const step = machine.nextStep(one, now);
          if (kind === 'wait') now += ms;
          else if (kind === 'back') one = machine.resume(one, `n${now}`, now);
          else if (step === 'expire') one = machine.applyOutcome(one, { kind: 'expired' }, now);
          else if (step !== 'nothing') {
            // A card that is not verified cannot be the default, nor pay.
            const isVerified = ['setDefault', 'pay', 'lookUpPayment'].includes(step);
            const own = isVerified
              ? { kind: step === 'setDefault' ? 'default' : 'nothing_due' }
              : success;
            const isOwn = ['success', 'default', 'nothing_due'].includes(kind);
            const outcome = isOwn
              ? own
              : { kind: kind === 'rejected' && isVerified ? 'unknown' : kind };
            one = machine.applyOutcome(one, { due: 1, ...outcome } as { kind: string }, now);
          }
          expect(allowed).toContain(one.state);
          const isOver = machine.expire(before) === before;
          if (isOver) expect(one).toBe(before);
          if (one === before) continue;
          if (one.state === 'challenged') expect(one.challengedAt).not.toBeNull();
          if (machine.expire(one) === one) continue;
          // It is never stuck: at the latest after its due time there is a step.
          expect(one.dueAt).toBeGreaterThanOrEqual(Math.min(now, openedAt));
          expect(machine.nextStep(one, Math.max(now, one.dueAt) + 1)).not.toBe('nothing');
        }
        if (name === 'card') expect(one.rounds).toBeLessThanOrEqual(3);
        if (name === 'purchase' && gateway === 'braintree')
          expect(one.rounds).toBeLessThanOrEqual(2);
      }),
      { numRuns: 500 },
    );
  },
);
