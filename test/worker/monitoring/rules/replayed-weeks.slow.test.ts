import { describe, expect, test } from 'vitest';
import type { Counts } from '../../../../worker/monitoring/rules/counts.ts';
import { findingsIn } from '../../../../worker/monitoring/rules/findings.ts';
import {
  advanceIncidents,
  type Incident,
  openIncidents,
} from '../../../../worker/monitoring/rules/incidents.ts';
import { sampleRatioFindings } from '../../../../worker/monitoring/rules/sample-ratio.ts';
import { vitalsFindings } from '../../../../worker/monitoring/rules/vitals.ts';
import { faults } from './injected-faults.ts';
import { healthy, type Rates, randomOf, simulate } from './simulated-site.ts';

/** A Thursday in 2026, 00:00 UTC, in minutes since 1970. */
const start = Date.UTC(2026, 8, 3) / 60_000;
const dayMinutes = 1440;
/** Ten million visits a month. */
const visitsPerMinute = 230;
const splits = [{ experiment: 'prices', weights: { base: 1, trial: 1 }, since: 0 }];

/** All findings of every minute. @param deployedAt minute of the last deploy */
function watch(counts: Counts, from: number, to: number, deployedAt: number): Incident[] {
  let incidents: Incident[] = [];
  for (let minute = from; minute < to; minute += 1) {
    const areas = new Set(openIncidents(incidents).map(({ area }) => area));
    const findings = [
      ...findingsIn(counts, minute, areas),
      ...vitalsFindings(counts, minute, deployedAt),
      ...sampleRatioFindings(counts, minute, splits),
    ];
    incidents = advanceIncidents(incidents, findings, minute);
  }
  return incidents;
}

const alarmsOf = (incidents: readonly Incident[]) =>
  incidents.filter(({ openedAt }) => openedAt !== null);
const described = ({ kind, area, segment, detail, openedAt }: Incident) =>
  `${new Date((openedAt ?? 0) * 60_000).toISOString()} ${kind} ${area} ${segment}: ${detail}`;

describe('monitor, replayed weeks', () => {
  const isFull = process.env.FULL === '1';
  /** Four days in a short run, in which no alarm is allowed; eight months in a full one. */
  const seeds = isFull ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];
  const days = isFull ? 30 : 4;

  test.each(seeds)('a month without a fault has at most one alarm (seed %i)', (seed) => {
    const end = start + days * dayMinutes;
    const counts = simulate({ visitsPerMinute, seed }, start - 200, end);
    const alarms = alarmsOf(watch(counts, start, end, start + 3 * dayMinutes));
    const tooMany = alarms.length <= 1 ? [] : alarms;
    expect(tooMany.map(described)).toEqual([]);
  });

  test('of 40 injected faults 38 or more raise their alarm within 10 minutes, and one alarm each', () => {
    const random = randomOf(40);
    const outcomes = faults.map(({ name, area, rates }, at) => {
      const from = start + Math.floor(random() * (isFull ? 7 : 2) * dayMinutes);
      const faulty: Rates = { ...healthy, ...rates };
      const ratesAt = (minute: number): Rates => (minute < from ? healthy : faulty);
      const counts = simulate({ visitsPerMinute, seed: 100 + at }, from - 200, from + 30, ratesAt);
      const incidents = alarmsOf(watch(counts, from - 15, from + 30, from));
      const found = incidents.find(
        (incident) => incident.area === area && (incident.openedAt ?? 0) >= from,
      );
      const minutes = found?.openedAt ? found.openedAt - from : null;
      const others = incidents.filter((one) => one !== found && one.partOf === null);
      return { name, minutes, others: others.map(described) };
    });
    const late = outcomes.filter(({ minutes }) => minutes === null || minutes > 10);
    const twice = outcomes.filter(({ others }) => others.length > 0);
    expect(outcomes).toHaveLength(40);
    expect(late.length <= 2 ? [] : late).toEqual([]);
    expect(twice.length <= 2 ? [] : twice).toEqual([]);
  });

  test('ten visitors an hour raise no alarm, whatever they do', () => {
    const nobodyBuys = { ...healthy, step: () => 0 };
    const ratesAt = (minute: number) => (minute < start ? healthy : nobodyBuys);
    const site = { visitsPerMinute: 10 / 60, seed: 7 };
    const counts = simulate(site, start - 200, start + 3 * dayMinutes, ratesAt);
    const alarms = alarmsOf(watch(counts, start, start + 3 * dayMinutes, start));
    expect(alarms.map(described)).toEqual([]);
  });
});
