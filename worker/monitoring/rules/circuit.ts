/** A finished gateway call, or one without a response for long. Times are ms since 1970. */
export interface GatewayCall {
  ok: boolean;
  startedAt: number;
  at: number;
}

/**
 * `closed`: the gateway gets payments. `open`: it gets none, and is probed. `half_open`: probes succeed, but none
 * failed before, so they do not detect the fault; single buyers show whether it is over.
 */
export type Circuit =
  | { kind: 'closed'; recent: Pick<GatewayCall, 'ok' | 'at'>[]; run: Run | null }
  | { kind: 'open'; openedAt: number; hasProbeFailed: boolean }
  | { kind: 'half_open'; triedAt: number | null; triedBy: string[] };

/** A run of failures without a success between them. */
interface Run {
  failures: number;
  since: number;
  last: number;
}

const windowMs = 10_000;
/** For a shop with many buyers: this many failures in a row open the circuit. */
const failuresInARow = 10;
/** With successes between them: this many failures within the window, and this share of its calls. */
const failuresInWindow = 20;
const failingShare = 0.6;
/** For a shop with few buyers: two failures this far apart without a success between them. */
const runMs = 5_000;
/** Interval at which one page gets the gateway while it is unknown whether the fault is over. */
const trialMs = 3_000;

export const closedCircuit: Circuit = { kind: 'closed', recent: [], run: null };

const opened = (at: number): Circuit => ({ kind: 'open', openedAt: at, hasProbeFailed: false });

function afterClosed(
  { recent: before, run: old }: Circuit & { kind: 'closed' },
  call: GatewayCall,
) {
  const { ok, at, startedAt } = call;
  const recent = [...before, { ok, at }]
    .filter((one) => at - one.at < windowMs)
    .slice(-2 * failuresInWindow);
  const isSameRun = old !== null && at - old.last < windowMs;
  const { failures: count, since } = isSameRun ? old : { failures: 0, since: startedAt };
  const run = ok ? null : { failures: count + 1, since: Math.min(since, startedAt), last: at };
  const failures = recent.filter((one) => !one.ok).length;
  const isOut =
    run !== null &&
    (run.failures >= failuresInARow ||
      (run.failures >= 2 && at - run.since >= runMs) ||
      (failures >= failuresInWindow && failures >= recent.length * failingShare));
  return isOut ? opened(at) : ({ kind: 'closed', recent, run } satisfies Circuit);
}

/** Whether a shop with few buyers should probe the provider now, instead of waiting for the next buyer. */
export const isSuspect = (circuit: Circuit): boolean =>
  circuit.kind === 'closed' && circuit.run !== null && circuit.run.failures >= 2;

export function afterCall(circuit: Circuit, call: GatewayCall): Circuit {
  switch (circuit.kind) {
    case 'closed':
      return afterClosed(circuit, call);
    case 'half_open':
      return call.ok ? closedCircuit : opened(call.at);
    case 'open':
      // A call that began earlier says nothing about the current state.
      return call.startedAt > circuit.openedAt ? afterProbe(circuit, call.ok, call.at) : circuit;
    default:
      return circuit satisfies never;
  }
}

export function afterProbe(circuit: Circuit, ok: boolean, at: number): Circuit {
  // Reads may succeed while payments fail.
  if (isSuspect(circuit) && !ok) {
    const next = afterCall(circuit, { ok, startedAt: at, at });
    return next.kind === 'open' ? { ...next, hasProbeFailed: true } : next;
  }
  if (circuit.kind !== 'open') return circuit;
  if (!ok) return { ...circuit, hasProbeFailed: true };
  return circuit.hasProbeFailed ? closedCircuit : { kind: 'half_open', triedAt: null, triedBy: [] };
}

/** A card entered into the gateway's own fields is also charged while the circuit is half open. */
export const admitsCharge = ({ kind }: Circuit): boolean => kind !== 'open';

/** Number of remembered trials, so that an account that reloads a page does not take a second one. */
const maxTried = 200;

/** Whether an account's page may show the gateway's fields, and the resulting circuit. */
export function admitPage(
  circuit: Circuit,
  account: string,
  now: number,
): { isAdmitted: boolean; circuit: Circuit } {
  if (circuit.kind !== 'half_open') return { isAdmitted: circuit.kind === 'closed', circuit };
  const { triedAt, triedBy = [] } = circuit;
  const isFree = triedAt === null || now - triedAt >= trialMs;
  if (!isFree || triedBy.includes(account)) return { isAdmitted: false, circuit };
  const tried = [...triedBy, account].slice(-maxTried);
  return { isAdmitted: true, circuit: { ...circuit, triedAt: now, triedBy: tried } };
}
