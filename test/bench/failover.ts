import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import {
  admitPage,
  admitsCharge,
  afterCall,
  afterProbe,
  type Circuit,
  closedCircuit,
  isSuspect,
} from '../../worker/monitoring/rules/circuit.ts';
import { applyOutcome, nextStep } from '../../worker/payments/purchase/attempt.ts';
import {
  canBeRerouted,
  reroute,
  rerouteReason,
  resumeRerouted,
} from '../../worker/payments/purchase/failover.ts';
import { newAttempt } from '../../worker/payments/purchase/new-attempt.ts';
import type { Attempt, GatewayName, GatewayOutcome } from '../../worker/payments/purchase/state.ts';
import { atLeast, atMost, type Figure, printFigures } from './figures.ts';

const secondMs = 1000;
/** The outage does not end at the start of a probe. */
const outage = { from: 60 * secondMs, to: 660.3 * secondMs };
const typingMs = 30 * secondMs;
/** The page stops polling (`islands/checkout/poll.ts`). */
const giveUpAfterMs = 120 * secondMs;
const chargeMs = 1500;
const slowMs = 4 * secondMs;

/**
 * How Stripe fails, and how long a step then takes including the client's retries: it refuses at once, or never
 * responds. With another gateway the client waits 5 s instead of 10, and retries once instead of twice.
 */
const faults = {
  refuses: { alone: 1.5 * secondMs, withAnother: 0.5 * secondMs },
  hangs: { alone: 32 * secondMs, withAnother: 10.5 * secondMs },
} as const;
export type Fault = keyof typeof faults;
/** The client finishes its pause before it notices the abort. */
const leavingMs = 0.5 * secondMs;

const plan = builtInCatalog.planById('monthly_usd');

function attemptOf(gateway: GatewayName, others: GatewayName[], now: number): Attempt {
  if (!plan) throw new Error('no plan');
  const buyer = { deviceData: null, coupon: null, experiment: null, arm: '', terms: null };
  const ids = { id: '' as Attempt['id'], pollingId: '' };
  return newAttempt(plan, { ...buyer, gateway, others, nonce: 'card' }, ids, now);
}

/** Events by time. */
class Timeline {
  readonly #due: { at: number; act: () => void }[] = [];
  now = 0;

  at(at: number, act: () => void): void {
    const later = this.#due.findLastIndex((one) => one.at <= at);
    this.#due.splice(later + 1, 0, { at, act });
  }

  run(): void {
    for (let next = this.#due.shift(); next; next = this.#due.shift()) {
      this.now = next.at;
      next.act();
    }
  }
}

export interface Outcome {
  /** Buyers who arrived during the outage. */
  buyers: number;
  paid: number;
  /** Those among them who typed their card a second time. */
  typedAgain: number;
  /** How long those waited before they were asked for another card. */
  waitsMs: number[];
  /** From the start of the outage, or from its end, in ms. */
  openedAfterMs: number | null;
  failuresUntilOpen: number;
  closedAfterMs: number | null;
}

/** Ten minutes without Stripe, by the Worker's own rules. Every buyer who is asked types the card again. */
export function simulate(buyersAMinute: number, fault: Fault, withFailover: boolean): Outcome {
  const agenda = new Timeline();
  const circuits: Record<GatewayName, Circuit> = {
    stripe: closedCircuit,
    braintree: closedCircuit,
  };
  const isUp = (name: GatewayName, at: number) =>
    name === 'braintree' || at < outage.from || at >= outage.to;
  const result: Outcome = {
    ...{ buyers: 0, paid: 0, typedAgain: 0, waitsMs: [], failuresUntilOpen: 0 },
    ...{ openedAfterMs: null, closedAfterMs: null },
  };
  const change = (name: GatewayName, to: Circuit) => {
    const { kind } = circuits[name];
    circuits[name] = to;
    if (kind !== 'open' && to.kind === 'open') result.openedAfterMs ??= agenda.now - outage.from;
    if (to.kind === 'closed' && kind !== 'closed') result.closedAfterMs = agenda.now - outage.to;
  };
  const reportCall = (name: GatewayName, startedAt: number, ok: boolean) => {
    if (!ok && result.openedAfterMs === null) result.failuresUntilOpen += 1;
    change(name, afterCall(circuits[name], { ok, startedAt, at: agenda.now }));
  };
  const tick = () => {
    const { stripe } = circuits;
    if (stripe.kind === 'open' || isSuspect(stripe)) {
      change('stripe', afterProbe(stripe, isUp('stripe', agenda.now), agenda.now));
    }
    if (agenda.now < outage.to + 30 * secondMs) agenda.at(agenda.now + secondMs, tick);
  };

  function buy(counts: boolean) {
    const page = admitPage(circuits.stripe, crypto.randomUUID(), agenda.now);
    circuits.stripe = page.circuit;
    const first = !withFailover || page.isAdmitted ? 'stripe' : 'braintree';
    const others: GatewayName[] = first === 'stripe' ? ['braintree'] : ['stripe'];
    let attempt = attemptOf(first, withFailover ? others : [], agenda.now);
    let tappedAt = agenda.now;
    const move = () => {
      attempt = reroute(attempt, attempt.others[0] ?? 'braintree');
      if (counts) {
        result.typedAgain += 1;
        result.waitsMs.push(agenda.now - tappedAt);
      }
      agenda.at(agenda.now + typingMs, () => {
        tappedAt = agenda.now;
        const card = { gateway: attempt.gateway, nonce: 'another', deviceData: null };
        attempt = resumeRerouted(attempt, card, agenda.now);
        step();
      });
    };
    const end = (startedAt: number, outcome: GatewayOutcome) => {
      reportCall(attempt.gateway, startedAt, outcome.kind === 'active');
      const lastStep = { step: 'charge', outcome } as const;
      const leaves = rerouteReason(attempt, lastStep, agenda.now) !== null;
      attempt = applyOutcome(attempt, outcome, agenda.now);
      const isInTime = agenda.now - tappedAt <= giveUpAfterMs;
      if (attempt.state === 'active' && counts && isInTime) result.paid += 1;
      if (leaves) move();
      else if (attempt.state === 'open' && isInTime) agenda.at(attempt.dueAt, step);
    };
    const step = () => {
      if (nextStep(attempt, agenda.now) !== 'charge') return;
      if (!admitsCharge(circuits[attempt.gateway]) && canBeRerouted(attempt)) return move();
      const startedAt = agenda.now;
      const { gateway } = attempt;
      if (isUp(gateway, startedAt)) {
        const charge = {} as Extract<GatewayOutcome, { kind: 'active' }>['charge'];
        return agenda.at(startedAt + chargeMs, () => end(startedAt, { kind: 'active', charge }));
      }
      const failMs = faults[fault][withFailover ? 'withAnother' : 'alone'];
      const failed = { kind: 'unavailable', reason: fault } as const;
      let hasEnded = false;
      const fail = () => {
        if (!hasEnded) end(startedAt, failed);
        hasEnded = true;
      };
      for (let at = slowMs; at < failMs; at += slowMs) {
        agenda.at(startedAt + at, () => {
          if (hasEnded) return;
          reportCall(gateway, startedAt, false);
          const leaves = !admitsCharge(circuits[gateway]) && canBeRerouted(attempt);
          if (leaves) agenda.at(agenda.now + leavingMs, fail);
        });
      }
      agenda.at(startedAt + failMs, fail);
    };
    step();
  }

  for (let at = 0; at < outage.to + 30 * secondMs; at += (60 * secondMs) / buyersAMinute) {
    agenda.at(at, () => {
      const counts = at >= outage.from && at < outage.to;
      if (counts) result.buyers += 1;
      buy(counts);
    });
  }
  agenda.at(0, tick);
  agenda.run();
  return result;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** The share of buyers who can pay while Stripe is down; `worker/payments/README.md` has the rules. */
export async function benchFailover() {
  const cases = [2, 20, 200].flatMap((rate) =>
    (Object.keys(faults) as Fault[]).map((fault) => ({ rate, fault })),
  );
  const runs = cases.map(({ rate, fault }) => {
    const [without, with_] = [simulate(rate, fault, false), simulate(rate, fault, true)];
    return { rate, fault, without, with: with_ };
  });
  console.table(
    runs.map(({ rate, fault, without, with: one }) => ({
      'buyers a minute': rate,
      Stripe: fault,
      'paid without': without.paid / without.buyers,
      'paid with': one.paid / one.buyers,
      'typed again': Math.round((1000 * one.typedAgain) / one.buyers) / 1000,
      'waited longest, s': Math.max(...one.waitsMs) / secondMs,
      'waited, s': sum(one.waitsMs) / one.waitsMs.length / secondMs,
      'opened after, s': (one.openedAfterMs ?? Number.NaN) / secondMs,
      failures: one.failuresUntilOpen,
      'closed after, s': (one.closedAfterMs ?? Number.NaN) / secondMs,
    })),
  );
  const figures: Figure[] = runs.flatMap(({ rate, fault, with: one }) => {
    const what = (name: string) => `${rate} buyers a minute, Stripe ${fault}: ${name}`;
    return [
      atLeast(what('share that can pay'), one.paid / one.buyers, 0.99),
      atMost(what('closed after recovery, s'), (one.closedAfterMs ?? Infinity) / secondMs, 5),
    ];
  });
  printFigures(figures);
  return { runs, figures };
}
