import type { AlarmKind, Finding } from './alarm-kinds.ts';
import type { Counts } from './counts.ts';
import { countObserved, type Observation, shareObserved } from './z-score.ts';

/** Standard deviations that a finding needs. They are high because hundreds of figures are tested every minute. */
const limits = { all: 4.6, segment: 4.9, stays: 3 };
const minRise = { cases: 6, factor: 1.5 };
const maxShareOfDrop = { share: 0.7, stopped: 0.12, visits: 0.35 };

interface Share {
  kind: AlarmKind;
  area: string;
  segment: string;
  part: string;
  whole: string;
  lagMinutes: number;
  direction: 'drop' | 'rise';
}

const steps = [
  { step: 'signup', before: 'visit', lagMinutes: 4, area: 'step:signup' },
  { step: 'checkout', before: 'signup', lagMinutes: 2, area: 'step:checkout' },
  { step: 'pay', before: 'checkout', lagMinutes: 3, area: 'step:pay' },
  { step: 'purchase', before: 'pay', lagMinutes: 1, area: 'payment' },
] as const;

const valuesAt = (series: readonly string[], pattern: RegExp): string[] => [
  ...new Set(series.flatMap((name) => pattern.exec(name)?.slice(1).join('|') ?? [])),
];

/** Each step of all visitors, and of each country and device. */
function stepShares(series: readonly string[]): Share[] {
  const segments = ['', ...valuesAt(series, /^step\|visit(\|(?:country|device)\|.+)$/)];
  return steps.flatMap(({ step, before, lagMinutes, area }) =>
    segments.map((segment) => ({
      kind: 'step_rate_dropped' as const,
      area,
      segment: segment.slice(1).replace('|', ' '),
      part: `step|${step}${segment}`,
      whole: `step|${before}${segment}`,
      lagMinutes,
      direction: 'drop' as const,
    })),
  );
}

const rise = (
  kind: AlarmKind,
  area: string,
  [part, whole]: readonly [part: string, whole: string],
  segment = '',
): Share => ({
  kind,
  area,
  segment,
  part,
  whole,
  lagMinutes: 0,
  direction: 'rise',
});

/** A gateway's payments, of all countries and of each. */
function paymentShares(series: readonly string[]): Share[] {
  const gateways = valuesAt(series, /^attempt\|(\w+)\|decided$/);
  return gateways.flatMap((gateway) => {
    const area = `payment:${gateway}`;
    const of = (outcome: string, country = '') => `attempt|${gateway}|${outcome}${country}`;
    const countries = valuesAt(series, new RegExp(`^attempt\\|${gateway}\\|decided(\\|.+)$`));
    const here = ['', ...countries].flatMap((country) => {
      const segment = country && `country ${country.slice(1)}`;
      return [
        rise('declines_rose', area, [of('declined', country), of('decided', country)], segment),
        rise(
          'three_d_secure_failed',
          area,
          [of('unverified', country), of('challenged', country)],
          segment,
        ),
      ];
    });
    const call = (what: string) => `call|${gateway}|${what}`;
    const webhook = (what: string) => `webhook|${gateway}|${what}`;
    return [
      ...here,
      rise('provider_failed', area, [call('failed'), call('made')]),
      rise('provider_slow', area, [call('slow'), call('made')]),
      rise('webhooks_late', `webhooks:${gateway}`, [webhook('late'), webhook('received')]),
      {
        ...rise('webhooks_late', `webhooks:${gateway}`, [webhook('received'), of('decided')]),
        direction: 'drop' as const,
        lagMinutes: 3,
      },
      rise('refunds_rose', `refunds:${gateway}`, [`ledger|${gateway}|refund`, of('decided')]),
      rise('disputes_rose', `disputes:${gateway}`, [`ledger|${gateway}|dispute`, of('decided')]),
    ];
  });
}

const otherShares: readonly Share[] = [
  rise('pages_failed', 'pages', ['request|failed', 'request|served']),
  rise('email_refused', 'email', ['email|refused', 'email|tried']),
  rise('email_refused', 'email', ['email|failed', 'email|tried']),
  rise('sms_refused', 'sms', ['sms|refused', 'sms|tried']),
  rise('sms_refused', 'sms', ['sms|failed', 'sms|tried']),
];

const sharesBySeries = new WeakMap<readonly string[], readonly Share[]>();

/** The shares are cached, because the list of series rarely changes. */
function sharesOf(series: readonly string[]): readonly Share[] {
  const known = sharesBySeries.get(series);
  if (known) return known;
  const shares = [...stepShares(series), ...paymentShares(series), ...otherShares];
  sharesBySeries.set(series, shares);
  return shares;
}

const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

function inWords({ count, of, expected, windowMinutes }: Observation): string {
  const share = (part: number) => percent(of === 0 ? 0 : part / of);
  return `${count} of ${Math.round(of)} in ${windowMinutes} minutes (${share(count)}), usually ${share(expected)}`;
}

/** @param isOpen whether it has an open alarm, which ends only when the figure is normal again */
function isFound(
  { direction, segment }: Share,
  { zScore, count, expected }: Observation,
  isOpen: boolean,
): boolean {
  const limit = isOpen ? limits.stays : segment ? limits.segment : limits.all;
  if (direction === 'drop') return zScore <= -limit && count <= expected * maxShareOfDrop.share;
  const { cases, factor } = minRise;
  return zScore >= limit && count >= cases && count >= expected * factor;
}

function kindOf({ kind, area, segment, direction }: Share, { count, expected }: Observation) {
  const isStopped = direction === 'drop' && count <= expected * maxShareOfDrop.stopped;
  if (kind !== 'step_rate_dropped' || segment || !isStopped) return kind;
  if (area === 'step:signup') return 'signups_stopped';
  return area === 'payment' ? 'purchases_stopped' : kind;
}

const stepOf = (series: string) => series.split('|')[1];

function shareFindings(counts: Counts, minute: number, openAreas: ReadonlySet<string>): Finding[] {
  return sharesOf(counts.series).flatMap((share) => {
    const seen = shareObserved(counts, share, minute, share.direction);
    if (!seen || !isFound(share, seen, openAreas.has(share.area))) return [];
    const { area, segment } = share;
    const step = share.part.startsWith('step|') ? `${stepOf(share.part)}: ` : '';
    return {
      kind: kindOf(share, seen),
      area,
      segment,
      detail: step + inWords(seen),
      zScore: Math.abs(seen.zScore),
      since: minute - seen.windowMinutes,
    };
  });
}

function visitFinding(counts: Counts, minute: number, openAreas: ReadonlySet<string>): Finding[] {
  const seen = countObserved(counts, 'step|visit', minute);
  const limit = openAreas.has('visits') ? limits.stays : limits.all;
  if (!seen || seen.zScore > -limit || seen.count > seen.expected * maxShareOfDrop.visits)
    return [];
  const { count, expected, windowMinutes } = seen;
  return [
    {
      kind: 'visits_dropped',
      area: 'visits',
      segment: '',
      detail: `${count} visits in ${windowMinutes} minutes, usually ${Math.round(expected)}`,
      zScore: Math.abs(seen.zScore),
      since: minute - windowMinutes,
    },
  ];
}

/** Events that must never happen, and the time after the last one until the alarm clears. */
const never = [
  { kind: 'dead_letters', pattern: /^dead_letter\|(.+)$/, area: 'dead_letters', minutes: 60 },
  { kind: 'unsold_money', pattern: /^unsold\|(.+)$/, area: 'unsold', minutes: 60 },
  { kind: 'unannounced_charge', pattern: /^unannounced\|(.+)$/, area: 'unannounced', minutes: 60 },
  { kind: 'circuit_opened', pattern: /^circuit\|(.+)$/, area: 'circuits', minutes: 10 },
  {
    kind: 'entitlement_endpoint_disabled',
    pattern: /^endpoint_disabled\|(.+)$/,
    area: 'entitlements',
    minutes: 60,
  },
  {
    kind: 'configuration_refused',
    pattern: /^config_refused$/,
    area: 'configuration',
    minutes: 30,
  },
  {
    kind: 'publication_refused',
    pattern: /^publication_refused$/,
    area: 'publications',
    minutes: 60,
  },
] as const;

function zeroToleranceFindings(counts: Counts, minute: number): Finding[] {
  return never.flatMap(({ kind, pattern, area, minutes }) => {
    const happened = counts.series
      .filter((name) => pattern.test(name))
      .map((name) => ({ name, count: counts.sum(name, minute - minutes, minute) }))
      .filter(({ count }) => count > 0);
    if (happened.length === 0) return [];
    const detail = happened
      .map(({ name, count }) => `${name.split('|').slice(1).join(' ') || 'refused'}: ${count}`)
      .join(', ');
    return [
      { kind, area, segment: '', detail, zScore: Number.POSITIVE_INFINITY, since: minute - 1 },
    ];
  });
}

/** All findings at a minute. Pure; it tests hundreds of figures a minute. */
export function findingsIn(
  counts: Counts,
  minute: number,
  openAreas: ReadonlySet<string> = new Set(),
): Finding[] {
  return [
    ...visitFinding(counts, minute, openAreas),
    ...shareFindings(counts, minute, openAreas),
    ...zeroToleranceFindings(counts, minute),
  ];
}
