import { type AlarmKind, alarmKinds, type Finding } from './alarm-kinds.ts';

/** An alarm, from its first finding to its all-clear. Times are minutes since 1970. */
export interface Incident {
  id: string;
  area: string;
  kind: AlarmKind;
  segment: string;
  detail: string;
  /** Other kinds found together with it: its symptoms. */
  also: AlarmKind[];
  startedAt: number;
  /** Null while only one evaluation has found it. */
  openedAt: number | null;
  seenAt: number;
  /** When it widened from a segment to everybody. */
  widenedAt: number | null;
  clearedAt: number | null;
  /** The incident whose symptom this is; it is reported with that one. */
  partOf: string | null;
  /** Messages accepted by a channel, such as `webhook:opened`. */
  sent: string[];
}

/** An alarm clears after this time without a finding. */
const clearMinutes = 15;
/** A cause found within this time after its symptom is part of the same alarm. */
const sameCauseMinutes = 20;
const keptMinutes = 14 * 24 * 60;

/** The first kind in this order names the alarm, because it explains the others. */
const order: readonly AlarmKind[] = [
  'walk_failed',
  'pages_failed',
  'provider_failed',
  'three_d_secure_failed',
  'declines_rose',
  'purchases_stopped',
  'signups_stopped',
  'step_rate_dropped',
  'provider_slow',
];
const rankOf = (kind: AlarmKind) => (order.includes(kind) ? order.indexOf(kind) : order.length);

/** Areas that fail because of another one. */
const consequences: Partial<Record<AlarmKind, (area: string) => RegExp>> = {
  walk_failed: (area) => (area === 'pages' ? /^(visits$|step:|payment)/ : /^step:/),
  pages_failed: () => /^(visits$|step:|payment)/,
  visits_dropped: () => /^watch$/,
  provider_failed: (area) => new RegExp(`^(webhooks${area.replace('payment', '')}$|step:pay)`),
  watch_blind: () => /^(visits$|step:|experiment:|vitals$)/,
};

const joins = (a: string, b: string) => a === b || a.startsWith(`${b}:`) || b.startsWith(`${a}:`);

const isEnded = ({ clearedAt, partOf }: Incident) => clearedAt !== null || partOf !== null;

function leadOf(findings: readonly [Finding, ...Finding[]]): Finding {
  const order = (a: Finding, b: Finding) =>
    Number(a.segment !== '') - Number(b.segment !== '') ||
    rankOf(a.kind) - rankOf(b.kind) ||
    b.zScore - a.zScore;
  const lead = findings.reduce((first, one) => (order(one, first) < 0 ? one : first));
  const segments = findings.filter(({ kind, segment }) => kind === lead.kind && segment);
  const worst = segments.toSorted((a, b) => b.zScore - a.zScore)[0];
  if (!worst || lead.segment) return lead;
  return { ...lead, detail: `${lead.detail}; most in ${worst.segment}: ${worst.detail}` };
}

/** One leading finding per area; `payment` is grouped with `payment:stripe`. */
function byArea(findings: readonly Finding[]): Map<string, [Finding, ...Finding[]]> {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  const longestFirst = findings.toSorted((a, b) => b.area.length - a.area.length);
  for (const finding of longestFirst) {
    const known = [...groups.keys()].find((area) => joins(area, finding.area));
    if (known) groups.get(known)?.push(finding);
    else groups.set(finding.area, [finding]);
  }
  return groups;
}

function opened(lead: Finding, minute: number): Incident {
  return {
    id: `${lead.area}@${minute}`,
    area: lead.area,
    kind: lead.kind,
    segment: lead.segment,
    detail: lead.detail,
    also: [],
    startedAt: lead.since,
    openedAt: Number.isFinite(lead.zScore) ? null : minute,
    seenAt: minute,
    widenedAt: null,
    clearedAt: null,
    partOf: null,
    sent: [],
  };
}

function extendIncident(incident: Incident, lead: Finding, minute: number): Incident {
  const isYoung = minute - (incident.openedAt ?? minute) <= sameCauseMinutes;
  const widened = incident.segment !== '' && lead.segment === '' && incident.widenedAt === null;
  // An alarm keeps its name, but a finding that explains more renames a young one.
  const named = isYoung || widened ? lead : incident;
  return {
    ...incident,
    area: named.area,
    kind: named.kind,
    segment: named.segment,
    detail: lead.detail,
    openedAt: incident.openedAt ?? minute,
    seenAt: minute,
    widenedAt: widened && incident.openedAt !== null ? minute : incident.widenedAt,
  };
}

const withSymptoms = (incident: Incident, findings: readonly Finding[]): Incident => {
  const kinds = new Set([...incident.also, ...findings.map(({ kind }) => kind)]);
  return { ...incident, also: [...kinds].filter((kind) => kind !== incident.kind) };
};

/** Young incidents become part of another open one that explains them. */
function merged(incidents: readonly Incident[]): Incident[] {
  return incidents.map((incident) => {
    if (isEnded(incident)) return incident;
    const cause = incidents.find(
      (other) =>
        other !== incident &&
        !isEnded(other) &&
        other.openedAt !== null &&
        consequences[other.kind]?.(other.area).test(incident.area) &&
        Math.abs(other.openedAt - (incident.openedAt ?? other.openedAt)) <= sameCauseMinutes,
    );
    return cause ? { ...incident, partOf: cause.id } : incident;
  });
}

/** Advances one minute: incidents open, continue, merge and clear. A finding must last into a second minute. */
export function advanceIncidents(
  before: readonly Incident[],
  findings: readonly Finding[],
  minute: number,
): Incident[] {
  const groups = byArea(findings);
  const continued = new Set<string>();
  const known = before.flatMap((incident) => {
    if (isEnded(incident)) {
      return minute - incident.seenAt > keptMinutes ? [] : [incident];
    }
    const joined = [...groups].find(([name]) => joins(name, incident.area));
    if (joined) {
      const [area, group] = joined;
      continued.add(area);
      return [withSymptoms(extendIncident(incident, leadOf(group), minute), group)];
    }
    if (incident.openedAt === null) return [];
    return minute - incident.seenAt >= clearMinutes
      ? [{ ...incident, clearedAt: minute }]
      : [incident];
  });
  const open = known.filter((incident) => !isEnded(incident));
  const explained = (area: string) =>
    open.some((cause) => consequences[cause.kind]?.(cause.area).test(area));
  const newIncidents = [...groups]
    .filter(([area]) => !continued.has(area) && !explained(area))
    .map(([, group]) => withSymptoms(opened(leadOf(group), minute), group));
  return merged([...known, ...newIncidents]);
}

export const openIncidents = (incidents: readonly Incident[]): Incident[] =>
  incidents.filter((incident) => !isEnded(incident) && incident.openedAt !== null);

export const isUrgent = ({ kind }: Incident): boolean => alarmKinds[kind].urgent;
