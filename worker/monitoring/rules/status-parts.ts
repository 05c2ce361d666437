import { minuteMs } from '../../platform/durations.ts';
import { type Incident, openIncidents } from './incidents.ts';
import type { Check } from './walks.ts';

type State = 'works' | 'degraded' | 'down' | 'unknown';

export interface Status {
  /** ISO 8601; null when nothing was checked yet. */
  checkedAt: string | null;
  parts: Record<'pages' | 'signup' | 'payments' | 'email' | 'sms', State>;
}

/** Older checks are ignored. */
const staleMs = 10 * minuteMs;
const order = ['landing', 'signup', 'provider'] as const;

const partAreas: Record<keyof Status['parts'], RegExp> = {
  pages: /^(pages|vitals|visits)$/,
  signup: /^step:signup$/,
  payments: /^(payment(:|$)|step:pay$)/,
  email: /^email$/,
  sms: /^sms$/,
};

const stepAt = ({ step, ok }: Check): number => {
  if (ok) return order.length;
  if (step === 'signup') return 1;
  return step === 'landing' || !/^(provider|buy|refund|checkout|paycheck)/.test(step) ? 0 : 2;
};

/** A part is down when every walk fails there, and degraded when some fail or an alarm is open. */
export function partsOf(
  {
    watchedAt,
    checks,
    incidents,
  }: { watchedAt: number | null; checks: readonly Check[]; incidents: readonly Incident[] },
  now: number,
): Status {
  const newest = new Map(
    checks
      .filter(({ at }) => now - at < staleMs)
      .map((check) => [`${check.market} ${check.gateway}`, check]),
  );
  const reached = [...newest.values()].map(stepAt);
  const isKnown = watchedAt !== null && now - watchedAt < staleMs;
  const stateOf = (part: keyof Status['parts'], step: number | null): State => {
    if (!isKnown) return 'unknown';
    if (step !== null && reached.length > 0 && reached.every((at) => at <= step)) return 'down';
    const isFailing = step !== null && reached.some((at) => at <= step);
    const isAlarmed = openIncidents(incidents).some(({ area }) => partAreas[part].test(area));
    return isFailing || isAlarmed ? 'degraded' : 'works';
  };
  return {
    checkedAt: watchedAt === null ? null : new Date(watchedAt).toISOString(),
    parts: {
      pages: stateOf('pages', 0),
      signup: stateOf('signup', 1),
      payments: stateOf('payments', 2),
      email: stateOf('email', null),
      sms: stateOf('sms', null),
    },
  };
}
