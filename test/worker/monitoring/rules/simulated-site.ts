import {
  type Counts,
  hourMinutes,
  pastOf,
  pastWeeks,
  type SeriesCounts,
  weekHours,
} from '../../../../worker/monitoring/rules/counts.ts';
import { seeded } from '../../../seeded-random.ts';

type Random = () => number;

const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function poisson(mean: number, random: Random): number {
  if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let product = random();
  let count = 0;
  while (product > limit) {
    product *= random();
    count += 1;
  }
  return count;
}

const countries = { US: 0.4, DE: 0.2, GB: 0.12, BR: 0.1, FR: 0.1, MX: 0.08 } as const;
const devices = { ios: 0.5, android: 0.42, desktop: 0.08 } as const;
const gateways = { stripe: 0.8, braintree: 0.2 } as const;
const asksBank = new Set(['DE', 'GB', 'FR']);
/** Share of the page loads in each bucket: a log-normal distribution around 2 seconds. */
function lcpShares(slower: number): number[] {
  const upTo = Array.from({ length: 24 }, (_, at) => 40 * 2 ** (at / 3));
  const bell = upTo.map((ms) => Math.exp(-((Math.log(ms / (2000 * slower)) / 0.5) ** 2) / 2));
  const total = bell.reduce((sum, share) => sum + share, 0);
  return bell.map((share) => share / total);
}

/** A fault's multipliers, by minute; 1 without a fault. */
export interface Rates {
  visits: number;
  /** Multiplier of a step, for a country and device. */
  step(step: string, country: string, device: string): number;
  declines(gateway: string, country: string): number;
  unverified(gateway: string, country: string): number;
  callsFailed(gateway: string): number;
  callsSlow(gateway: string): number;
  webhooks(gateway: string): number;
  webhooksLate: number;
  pagesFailed: number;
  emailRefused: number;
  emailFailed: number;
  smsFailed: number;
  refunds: number;
  disputes: number;
  secondArm: number;
  lcp: number;
  deadLetters: number;
  configRefused: number;
}

export const healthy: Rates = {
  visits: 1,
  step: () => 1,
  declines: () => 1,
  unverified: () => 1,
  callsFailed: () => 1,
  callsSlow: () => 1,
  webhooks: () => 1,
  webhooksLate: 1,
  pagesFailed: 1,
  emailRefused: 1,
  emailFailed: 1,
  smsFailed: 1,
  refunds: 1,
  disputes: 1,
  secondArm: 1,
  lcp: 1,
  deadLetters: 0,
  configRefused: 0,
};

interface DailyVariation {
  /** Traffic variation around the season: bursts, and campaigns that begin and end. */
  visits: number;
  /** Variation of each step by marketing mix, day by day. */
  steps: Record<string, number>;
}

/** Visits a minute by hour of the day and day of the week. */
function seasonalVisits(minute: number, perMinute: number): number {
  const day = ((minute % 1440) / 1440) * 2 * Math.PI;
  const week = (minute % (7 * 1440)) / 1440;
  const weekend = week > 2 && week < 4 ? 1.25 : 1;
  return perMinute * weekend * (1 - 0.6 * Math.cos(day) - 0.15 * Math.sin(2 * day));
}

/** Expected counts of one visit, by series; counts that do not depend on visits are in `fixedOf`. */
function meanCounts(weather: DailyVariation, rates: Rates): SeriesCounts {
  const means: SeriesCounts = {};
  const add = (series: string, mean: number) => {
    means[series] = (means[series] ?? 0) + mean;
  };
  const steps = { signup: 0.18, checkout: 0.85, pay: 0.4, purchase: 0.75 };
  const all = rates.visits;
  for (const [country, ofCountry] of Object.entries(countries)) {
    let paying = 0;
    for (const [device, ofDevice] of Object.entries(devices)) {
      let mean = all * ofCountry * ofDevice;
      add(`cell|visit|${country}|${device}`, mean);
      for (const [step, rate] of Object.entries(steps)) {
        mean *= rate * (weather.steps[step] ?? 1) * rates.step(step, country, device);
        if (step === 'pay') paying += mean;
        add(`cell|${step}|${country}|${device}`, mean);
      }
    }
    for (const [gateway, share] of Object.entries(gateways)) {
      const decided = paying * share;
      const challenged = decided * (asksBank.has(country) ? 0.45 : 0.03);
      const own = (outcome: string, mean: number) =>
        add(`attempt|${gateway}|${outcome}|${country}`, mean);
      own('decided', decided);
      own('declined', decided * Math.min(1, 0.12 * rates.declines(gateway, country)));
      own('challenged', challenged);
      own('unverified', challenged * Math.min(1, 0.1 * rates.unverified(gateway, country)));
      add(`call|${gateway}|made`, 4 * decided);
      add(`call|${gateway}|failed`, 4 * decided * Math.min(1, 0.002 * rates.callsFailed(gateway)));
      add(`call|${gateway}|slow`, 4 * decided * Math.min(1, 0.01 * rates.callsSlow(gateway)));
      add(`webhook|${gateway}|received`, 3 * decided * rates.webhooks(gateway));
      add(`webhook|${gateway}|late`, 3 * decided * Math.min(1, 0.002 * rates.webhooksLate));
      add(`ledger|${gateway}|refund`, 0.03 * decided * rates.refunds);
      add(`ledger|${gateway}|dispute`, 0.003 * decided * rates.disputes);
      add('email|tried', decided);
    }
  }
  add('email|tried', 0.1 * all);
  add('email|refused', 0.0008 * all * rates.emailRefused);
  add('email|failed', 0.0004 * all * rates.emailFailed);
  add('sms|tried', 0.06 * all);
  add('sms|refused', 0.002 * all);
  add('sms|failed', 0.0006 * all * rates.smsFailed);
  add('request|served', 6 * all);
  add('request|failed', 0.0012 * all * rates.pagesFailed);
  add('exposure|prices|base', 0.5 * all);
  add('exposure|prices|trial', 0.5 * all * rates.secondArm);
  lcpShares(rates.lcp).forEach((share, at) => {
    add(`vitals|lcp|${at}`, 0.6 * all * share);
  });
  return means;
}

const constantCounts = (rates: Rates): SeriesCounts => ({
  'dead_letter|funnel-email': rates.deadLetters,
  config_refused: rates.configRefused,
});

/** The rollups' series that a drawn number counts for: cells of countries and devices, and all of a gateway. */
function countedIn(series: string): string[] {
  const [kind, one, two, three] = series.split('|');
  if (kind === 'attempt') return [series, `attempt|${one}|${two}`];
  if (kind !== 'cell') return [series];
  return [`step|${one}`, `step|${one}|country|${two}`, `step|${one}|device|${three}`];
}

export interface Site {
  /** Average; 230 per minute are ten million a month. */
  visitsPerMinute: number;
  seed: number;
}

/** Rollups are a minute late; counters are not. */
const lateSeries = /^(step|exposure|vitals)\|/;
const steps = ['signup', 'checkout', 'pay', 'purchase'];

/**
 * Weeks of a healthy site: seasons, bursts, campaigns that double or halve the traffic within two minutes, and
 * rates that drift from day to day. `ratesAt` adds faults.
 */
export function simulate(
  { visitsPerMinute, seed }: Site,
  from: number,
  to: number,
  ratesAt: (minute: number) => Rates = () => healthy,
): Counts {
  const random = seeded(seed);
  const day: DailyVariation = { visits: 1, steps: {} };
  const newDay = () => {
    day.visits = Math.exp(0.08 * normal(random));
    for (const step of steps) day.steps[step] = Math.exp(0.05 * normal(random));
  };
  newDay();
  const hours = new Map<number, SeriesCounts>();
  const drawsOf = (means: SeriesCounts) =>
    Object.entries(means).map(([name, mean]) => ({ mean, counted: countedIn(name) }));
  let draws = drawsOf(meanCounts(day, healthy));
  const firstHour = Math.floor(from / hourMinutes) - pastWeeks * weekHours - 2;
  for (let hour = firstHour; hour <= Math.floor(from / hourMinutes); hour += 1) {
    if (hour % 24 === 0) {
      newDay();
      draws = drawsOf(meanCounts(day, healthy));
    }
    const visits = seasonalVisits((hour + 0.5) * hourMinutes, visitsPerMinute) * day.visits;
    const tally: SeriesCounts = {};
    for (const { mean, counted } of draws) {
      const count = poisson(mean * visits * hourMinutes, random);
      for (const series of counted) tally[series] = (tally[series] ?? 0) + count;
    }
    hours.set(hour, tally);
  }
  const sums = new Map<string, Float64Array>();
  const minutes = to - from + 1;
  /** Drawn numbers with the series that they count for. */
  let plan: { mean: number; lines: Float64Array[] }[] = [];
  let fixed: typeof plan = [];
  const planOf = (means: SeriesCounts) =>
    Object.entries(means).map(([name, mean]) => ({
      mean,
      lines: countedIn(name).map((series) => {
        const line = sums.get(series) ?? new Float64Array(minutes + 2);
        sums.set(series, line);
        return line;
      }),
    }));
  let rates: Rates | null = null;
  let burst = 0;
  let campaign = { factor: 1, until: 0 };
  for (let at = 0; at < minutes; at += 1) {
    const minute = from + at;
    if (minute % 1440 === 0) newDay();
    if (minute % 1440 === 0 || ratesAt(minute) !== rates) {
      rates = ratesAt(minute);
      plan = planOf(meanCounts(day, rates));
      fixed = planOf(constantCounts(rates));
    }
    burst = 0.9 * burst + 0.035 * normal(random);
    if (minute > campaign.until && random() < 1 / 4000)
      campaign = { factor: random() < 0.6 ? 2 : 0.6, until: minute + 60 + random() * 120 };
    const ofCampaign = minute < campaign.until ? campaign.factor : 1;
    for (const [each, scale] of [
      [plan, seasonalVisits(minute, visitsPerMinute) * day.visits * Math.exp(burst) * ofCampaign],
      [fixed, 1],
    ] as const) {
      for (const { mean, lines } of each) {
        const count = poisson(mean * scale, random);
        for (const line of lines) line[at + 1] = (line[at + 1] ?? 0) + count;
      }
    }
  }
  for (const line of sums.values()) {
    for (let at = 1; at < line.length; at += 1) line[at] = (line[at] ?? 0) + (line[at - 1] ?? 0);
  }
  const upTo = (series: string, minute: number) => {
    const line = sums.get(series);
    const late = lateSeries.test(series) ? 1 : 0;
    return line?.[Math.min(line.length - 1, Math.max(0, minute - from - late))] ?? 0;
  };
  for (let minute = from; minute < to; minute += hourMinutes) {
    const start = minute - (minute % hourMinutes);
    const ofHour = (line: Float64Array) =>
      (line[Math.min(minutes, start + hourMinutes - from)] ?? 0) -
      (line[Math.max(0, start - from)] ?? 0);
    // The first hour is incomplete, because it was drawn as a whole before.
    if (start < from) continue;
    const tally = [...sums].map(([series, line]) => [series, ofHour(line)] as const);
    hours.set(start / hourMinutes, Object.fromEntries(tally));
  }
  const memory = new Map<string, { minute: number; past: number[] }>();
  return {
    series: [...sums.keys()],
    sum: (series, start, end) => upTo(series, end) - upTo(series, start),
    past(series, minute) {
      // Expected values change slowly: computing them every five minutes is accurate enough, and faster.
      const rounded = minute - (minute % 5);
      const known = memory.get(series);
      if (known?.minute === rounded) return known.past;
      const past = pastOf(series, rounded, (hour) => hours.get(hour));
      memory.set(series, { minute: rounded, past });
      return past;
    },
  };
}
