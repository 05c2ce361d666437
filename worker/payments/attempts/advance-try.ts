import type { AttemptId } from '../../platform/types.ts';
import type { Unanswered } from '../purchase/gateway-try.ts';
import type { GatewayTry } from '../purchase/state.ts';
import { logAmbiguousResponse } from './gateway-call.ts';

export interface TryWork<Try extends GatewayTry, Step extends string, Outcome> {
  found: Try;
  context: { vendor: string; attempt?: AttemptId };
  machine: {
    nextStep(one: Try, now: number): Step | 'expire' | 'nothing';
    applyOutcome(one: Try, outcome: Outcome | Unanswered, now: number): Try;
  };
  /** As it is stored now: the call stores its progress, and the owner may have changed it meanwhile. */
  latest(): Try | undefined;
  /** Stores each id before the next call. @returns null if another gateway has the try now @throws without an answer */
  call(step: Step): Promise<Outcome | Unanswered | null>;
  /** Stores the change and what follows from it before it waits for anything, so that a crash cannot separate them. */
  record(
    change: { before: Try; after: Try; step: Step | 'expire' },
    outcome: Outcome | Unanswered,
  ): void | Promise<void>;
}

async function runStep<Try extends GatewayTry, Step extends string, Outcome>(
  work: TryWork<Try, Step, Outcome>,
): Promise<boolean> {
  const { found, machine } = work;
  const step = found.dueAt > Date.now() ? 'nothing' : machine.nextStep(found, Date.now());
  if (step === 'nothing') return false;
  let outcome: Outcome | Unanswered | null;
  try {
    outcome = step === 'expire' ? { kind: 'expired' } : await work.call(step);
  } catch (error) {
    logAmbiguousResponse(error, work.context);
    outcome = { kind: 'unknown' };
  }
  if (!outcome) return false;
  const before = work.latest() ?? found;
  const after = machine.applyOutcome(before, outcome, Date.now());
  await work.record({ before, after, step }, outcome);
  return true;
}

/** Advances a try until nothing is due. Without an answer its outcome is unknown; never throws. */
export async function advance<Try extends GatewayTry, Step extends string, Outcome>(
  next: () => TryWork<Try, Step, Outcome> | undefined,
): Promise<void> {
  for (let work = next(); work && (await runStep(work)); work = next());
}
