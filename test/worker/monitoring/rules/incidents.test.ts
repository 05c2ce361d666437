import { expect, test } from 'vitest';
import type { AlarmKind, Finding } from '../../../../worker/monitoring/rules/alarm-kinds.ts';
import {
  advanceIncidents,
  type Incident,
  openIncidents,
} from '../../../../worker/monitoring/rules/incidents.ts';

const finding = (kind: AlarmKind, area: string, change: Partial<Finding> = {}): Finding => ({
  kind,
  area,
  segment: '',
  detail: kind,
  zScore: 6,
  since: 0,
  ...change,
});

/** Findings by minute, from minute 1 on; the last ones continue until `end`. */
function incidentsAfter(
  minutes: readonly (readonly Finding[])[],
  end = minutes.length,
): Incident[] {
  let incidents: Incident[] = [];
  for (let minute = 1; minute <= end; minute += 1)
    incidents = advanceIncidents(incidents, minutes[minute - 1] ?? minutes.at(-1) ?? [], minute);
  return incidents;
}

const declines = finding('declines_rose', 'payment:stripe');
const down = finding('provider_failed', 'payment:stripe');
const fewer = finding('step_rate_dropped', 'payment');

test('incidents: a finding opens an incident in its second minute', () => {
  expect(openIncidents(incidentsAfter([[declines]]))).toEqual([]);
  expect(incidentsAfter([[declines], []])).toEqual([]);
  expect(openIncidents(incidentsAfter([[declines], [declines]]))).toMatchObject([
    { kind: 'declines_rose', area: 'payment:stripe', openedAt: 2 },
  ]);
});

test('incidents: a certain finding opens an incident at once', () => {
  const certain = finding('dead_letters', 'dead_letters', { zScore: Number.POSITIVE_INFINITY });
  expect(openIncidents(incidentsAfter([[certain]]))).toMatchObject([
    { kind: 'dead_letters', openedAt: 1 },
  ]);
});

test('incidents: one cause is one alarm, named after the finding that explains the rest', () => {
  const open = openIncidents(
    incidentsAfter([[fewer], [fewer, declines], [fewer, declines, down]], 6),
  );
  expect(open).toMatchObject([{ area: 'payment:stripe', kind: 'provider_failed' }]);
  expect(open[0]?.also.sort()).toEqual(['declines_rose', 'step_rate_dropped']);
});

test('incidents: an alarm of all visitors names the segment that is worst', () => {
  const inCountry = (segment: string, zScore: number) =>
    finding('declines_rose', 'payment:stripe', { segment, zScore, detail: `much in ${segment}` });
  for (const segments of [
    [inCountry('country DE', 9), inCountry('country US', 7)],
    [inCountry('country US', 7), inCountry('country DE', 9)],
  ]) {
    const [open] = openIncidents(incidentsAfter([[declines, ...segments]], 2));
    expect(open?.detail).toBe('declines_rose; most in country DE: much in country DE');
  }
});

test('incidents: a finding that explains more renames an alarm for 20 minutes', () => {
  const kind = (at: number) => {
    const alone = Array.from({ length: at - 1 }, () => [declines]);
    return incidentsAfter([...alone, [declines, down]])[0]?.kind;
  };
  // It opened in minute 2.
  expect([kind(22), kind(23)]).toEqual(['provider_failed', 'declines_rose']);
});

test('incidents: a finding that explains nothing else does not name the alarm', () => {
  const late = finding('webhooks_late', 'payment:stripe', { zScore: 99 });
  const [open] = openIncidents(incidentsAfter([[late, declines]], 2));
  expect(open).toMatchObject({ kind: 'declines_rose', also: ['webhooks_late'] });
});

test('incidents: a test visitor without pages explains missing visits, one that stops at a step does not', () => {
  const visits = finding('visits_dropped', 'visits');
  const kindsOf = (area: string) =>
    openIncidents(incidentsAfter([[finding('walk_failed', area), visits, fewer]], 3)).map(
      ({ kind }) => kind,
    );
  expect(kindsOf('pages')).toEqual(['walk_failed']);
  expect(kindsOf('step:signup').sort()).toEqual([
    ...['step_rate_dropped', 'visits_dropped', 'walk_failed'],
  ]);
});

test('incidents: two providers are two causes', () => {
  const other = finding('provider_failed', 'payment:braintree');
  expect(openIncidents(incidentsAfter([[down, other]], 3))).toHaveLength(2);
});

test('incidents: a segment’s incident widens to everybody once, and names the worst segment', () => {
  const german = { ...declines, segment: 'country DE', zScore: 9 };
  const incidents = incidentsAfter([[german], [german], [german], [declines, german]], 8);
  expect(openIncidents(incidents)).toMatchObject([{ segment: '', widenedAt: 4, openedAt: 2 }]);
  expect(incidents[0]?.detail).toContain('most in country DE');
});

test('incidents: a symptom that was reported first becomes part of its cause', () => {
  const steps = finding('signups_stopped', 'step:signup');
  const pages = finding('pages_failed', 'pages');
  const incidents = incidentsAfter([[steps], [steps], [steps, pages], [steps, pages]]);
  expect(openIncidents(incidents)).toMatchObject([{ kind: 'pages_failed' }]);
  expect(incidents.find(({ kind }) => kind === 'signups_stopped')?.partOf).toBe('pages@3');
  // A later one is not sent at all.
  const late = finding('visits_dropped', 'visits');
  expect(incidentsAfter([[pages], [pages], [pages, late], [pages, late]])).toHaveLength(1);
});

test('incidents: a symptom is not part of a cause that opens more than 20 minutes later', () => {
  const steps = finding('signups_stopped', 'step:signup');
  const pages = finding('pages_failed', 'pages');
  const open = (at: number) => {
    const alone = Array.from({ length: at - 2 }, () => [steps]);
    const incidents = incidentsAfter([...alone, [steps, pages]], at + 2);
    return openIncidents(incidents).map(({ kind }) => kind);
  };
  // The symptom opened in minute 2, the cause opens in minute `at`.
  expect([open(22), open(23)]).toEqual([['pages_failed'], ['signups_stopped', 'pages_failed']]);
});

test('incidents: an incident is cleared after 15 minutes without a finding, and a later finding opens a new one', () => {
  const quiet = Array.from({ length: 15 }, () => []);
  const cleared = incidentsAfter([[declines], [declines], ...quiet]);
  expect(cleared).toMatchObject([{ openedAt: 2, clearedAt: 17 }]);
  const kept = (minutes: number) => advanceIncidents(cleared, [], 2 + minutes).length;
  const twoWeeks = 14 * 24 * 60;
  expect([kept(twoWeeks), kept(twoWeeks + 1)]).toEqual([1, 0]);
  const again = incidentsAfter([[declines], [declines], ...quiet, [declines], [declines]]);
  expect(again.map(({ clearedAt }) => clearedAt)).toEqual([17, null]);
});
