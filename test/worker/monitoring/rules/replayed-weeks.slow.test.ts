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
import { seeded } from '../../../seeded-random.ts';
import { healthy, type Rates, simulate } from './simulated-site.ts';

interface Fault {
  name: string;
  /** The area of the expected alarm. */
  area: string;
  rates: Partial<Rates>;
}

const broken = (name: string, step: string, area: string, where: string | null = null): Fault => ({
  name,
  area,
  rates: {
    step: (each, country, device) =>
      each === step && (where === null || where === country || where === device) ? 0 : 1,
  },
});

const at =
  (gateway: string, factor: number, country: string | null = null) =>
  (eachGateway: string, eachCountry = '') =>
    eachGateway === gateway && (country === null || country === eachCountry) ? factor : 1;

const payment = (name: string, gateway: string, rates: Partial<Rates>): Fault => ({
  name,
  area: `payment:${gateway}`,
  rates,
});

const faults: readonly Fault[] = [
  { name: 'the domain does not resolve', area: 'visits', rates: { visits: 0 } },
  { name: 'a CDN serves an error page to nine of ten', area: 'visits', rates: { visits: 0.1 } },
  broken('sign-up answers 503', 'signup', 'step:signup'),
  broken('the sign-up button is covered', 'signup', 'step:signup'),
  broken('Google sign-in and e-mail fail', 'signup', 'step:signup'),
  broken('sign-up fails on iPhones', 'signup', 'step:signup', 'ios'),
  broken('sign-up fails on Android', 'signup', 'step:signup', 'android'),
  broken('sign-up fails in the US', 'signup', 'step:signup', 'US'),
  broken('sign-up fails in Germany', 'signup', 'step:signup', 'DE'),
  broken('the checkout is blank', 'checkout', 'step:checkout'),
  broken('the checkout is blank on iPhones', 'checkout', 'step:checkout', 'ios'),
  broken('the card fields do not load', 'pay', 'step:pay'),
  broken('the Pay button does nothing', 'pay', 'step:pay'),
  broken('the card fields do not load on iPhones', 'pay', 'step:pay', 'ios'),
  broken('no purchase completes', 'purchase', 'payment'),
  broken('the result is never shown', 'purchase', 'payment'),
  payment('half of Stripe’s payments are declined', 'stripe', { declines: at('stripe', 5) }),
  payment('a fraud rule declines all', 'stripe', { declines: at('stripe', 8) }),
  payment('card testing', 'stripe', { declines: at('stripe', 6) }),
  payment('Braintree declines all', 'braintree', { declines: at('braintree', 8) }),
  payment('US banks decline', 'stripe', { declines: at('stripe', 6, 'US') }),
  payment('German banks decline', 'stripe', { declines: at('stripe', 7, 'DE') }),
  payment('3-D Secure fails everywhere', 'stripe', { unverified: at('stripe', 9) }),
  payment('3-D Secure fails in Germany', 'stripe', { unverified: at('stripe', 10, 'DE') }),
  payment('Stripe answers 500 to a third', 'stripe', { callsFailed: at('stripe', 170) }),
  payment('Stripe’s key is revoked', 'stripe', { callsFailed: at('stripe', 500) }),
  payment('Braintree is down', 'braintree', { callsFailed: at('braintree', 500) }),
  payment('Stripe takes ten seconds', 'stripe', { callsSlow: at('stripe', 50) }),
  payment('Braintree takes ten seconds', 'braintree', { callsSlow: at('braintree', 80) }),
  { name: 'webhooks come late', area: 'webhooks:stripe', rates: { webhooksLate: 300 } },
  {
    name: 'the webhook secret is wrong',
    area: 'webhooks:stripe',
    rates: { webhooks: at('stripe', 0) },
  },
  { name: 'a queue gives messages up', area: 'dead_letters', rates: { deadLetters: 2 } },
  { name: 'the sender domain is suspended', area: 'email', rates: { emailRefused: 100 } },
  { name: 'Resend is down', area: 'email', rates: { emailFailed: 200 } },
  { name: 'Twilio has no balance', area: 'sms', rates: { smsFailed: 90 } },
  { name: 'a configuration is refused', area: 'configuration', rates: { configRefused: 3 } },
  { name: 'a deploy makes pages 50 % slower', area: 'vitals', rates: { lcp: 1.5 } },
  { name: 'one variant fails for half', area: 'experiment:prices', rates: { secondArm: 0.5 } },
  { name: 'somebody refunds everything', area: 'refunds:stripe', rates: { refunds: 25 } },
  { name: 'one page of fifty answers 500', area: 'pages', rates: { pagesFailed: 100 } },
];

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
  /** Two days in a short run, in which no alarm is allowed; eight months in a full one. */
  const seeds = isFull ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];
  const days = isFull ? 30 : 2;

  test.each(seeds)('a month without a fault has at most one alarm (seed %i)', (seed) => {
    const end = start + days * dayMinutes;
    const counts = simulate({ visitsPerMinute, seed }, start - 200, end);
    const alarms = alarmsOf(watch(counts, start, end, start + dayMinutes));
    expect((alarms.length <= 1 ? [] : alarms).map(described)).toEqual([]);
  });

  test('all injected faults but two raise their alarm within 10 minutes, and one alarm each', () => {
    const random = seeded(40);
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
    expect(outcomes.length).toBeGreaterThanOrEqual(40);
    expect(late.length <= 2 ? [] : late).toEqual([]);
    expect(twice.length <= 2 ? [] : twice).toEqual([]);
  });

  test('ten visitors an hour raise no alarm, whatever they do', () => {
    const withoutPurchases = { ...healthy, step: () => 0 };
    const ratesAt = (minute: number) => (minute < start ? healthy : withoutPurchases);
    const site = { visitsPerMinute: 10 / 60, seed: 7 };
    const end = start + (isFull ? 3 : 1) * dayMinutes;
    const counts = simulate(site, start - 200, end, ratesAt);
    const alarms = alarmsOf(watch(counts, start, end, start));
    expect(alarms.map(described)).toEqual([]);
  });
});
