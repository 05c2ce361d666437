import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { funnelQueries } from '../../../scripts/events/funnel-table.ts';
import { addTally, compileDays, segmentIds } from '../../../worker/analytics/rollup-table.ts';
import { armCounts } from '../../../worker/analytics/rules/arm-counts.ts';
import { type CountInput, withCountDefaults } from '../../../worker/analytics/rules/count.ts';
import { tallyOf } from '../../../worker/analytics/rules/tally.ts';
import { moneyCounts } from '../../../worker/console/operations/money-table.ts';
import * as overview from '../../../worker/console/overview/overview-table.ts';
import { armLandings, filterChoices } from '../../../worker/console/overview/slice-table.ts';
import { stepValues } from '../../../worker/console/overview/step-table.ts';
import {
  experimentDays,
  experimentFacts,
  segmentFacts,
} from '../../../worker/experiments/results-table.ts';
import { readRollups } from '../../../worker/monitoring/rollup-reader.ts';
import { seeded } from '../../seeded-random.ts';
import { emptyRollups } from './reference-count.ts';

const db = env.ANALYTICS;
const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 10, 20);
const end = start + 3 * day;
const compiledUntil = end - 6 * hour;

const experiments = Array.from({ length: 10 }, (_, at) => `test_${at}`);
const steps = ['exposure', 'sign_up', 'screen__load', 'onboarding_start', 'lead'];
const moneySteps = ['attempt', 'purchase', 'declined', 'capture', 'refund', 'dispute'];

/** Each count with the variants of its visitor in ten experiments. */
function visits() {
  const random = seeded(4);
  const one = <Value>(all: readonly Value[]) => all[Math.floor(random() * all.length)] as Value;
  return Array.from({ length: 400 }, (_, at) => {
    const slice = {
      flow: one(['default', 'short']),
      experiment: one(['prices', '']),
      variant: one(['a', 'b']),
      country: one(['DE', 'US']),
      language: one(['de', 'en']),
      device: one(['ios', 'desktop']),
      source: one(['meta', '']),
      landing: one(['one_pager', 'signup']),
    };
    const isMoney = random() < 0.4;
    const step = one(isMoney ? moneySteps : steps);
    const payment = {
      ...{ slot: one(['main', 'upsell']), plan: 'monthly_usd', currency: one(['USD', 'EUR']) },
      ...{ reason: one(['', 'renewal']), amount: 999, squares: 999 ** 2 },
    };
    const count: CountInput = {
      id: `${at}`,
      at: start + Math.floor(random() * (end - start)),
      step,
      slice,
      ...(step === 'screen__load' && { screen: 'signup' }),
      ...(isMoney && { provider: 'stripe', payment }),
    };
    const arms = experiments.map((experiment) => ({
      experiment,
      variant: one(['control', 'new']),
    }));
    return { count, arms };
  });
}

async function write(counts: readonly CountInput[], isLate: boolean): Promise<void> {
  const write = async (some: readonly CountInput[], from: number) => {
    const tally = tallyOf(some.map(withCountDefaults), () => true);
    const ids = await segmentIds(db, tally.segments);
    const range = { shard: 'experiments', from, to: from + 1 };
    expect(await addTally(db, range, tally, (key) => ids.get(key) ?? 0)).toBe(from + 1);
  };
  const half = isLate ? counts.length / 2 : counts.length;
  await write(counts.slice(0, half), 0);
  await compileDays(db, compiledUntil, end);
  if (isLate) await write(counts.slice(half), 1);
}

const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();

/** Everything that the console, the alarms and the commands read of these days. */
async function allTotals() {
  const period = { from: start, to: end, zone: 'UTC' };
  const found: Record<string, unknown> = {};
  for (const unit of ['day', 'hour'] as const) {
    for (const filters of [{}, { country: 'DE' }, { country: 'DE', device: 'ios' }]) {
      const span = { ...period, unit };
      const { steps, payments } = await overview.countsOf(db, span, filters);
      const arms = await overview.armCounts(db, span, filters);
      found[`${unit} ${JSON.stringify(filters)}`] = [
        ...[steps, payments, arms.variants, arms.landings, arms.countries],
        await overview.screenCounts(db, span, filters),
        await overview.countryPayments(db, span, filters),
        await stepValues(db, span, filters, 'signup'),
        await armLandings(db, span, filters),
      ].map(sorted);
    }
  }
  found.filters = await filterChoices(db);
  const hours = Array.from({ length: 72 }, (_, at) => start / hour + at);
  found.alarms = Object.values(await readRollups(db, hours)).map((tally) =>
    Object.entries(tally).filter(([series]) => !/^exposure\|test_/.test(series)),
  );
  for (const sql of funnelQueries(start))
    found[sql] = sorted((await db.prepare(sql).all()).results);
  for (const table of ['totals', 'five_minutes'])
    found[table] = sorted((await db.prepare(`SELECT * FROM ${table}`).all()).results);
  const times = [start, start + day, start + 2 * day];
  const money = { ...period, name: 'custom', step: 'day', unit: 'day', times } as const;
  found.money = sorted(await moneyCounts(db, money));
  return found;
}

beforeEach(async () => {
  await emptyRollups(db);
  await db.prepare('DELETE FROM slices').run();
});

test.each([false, true])(
  'experiments: every total with ten experiments equals the total without; late counts: %s',
  async (isLate) => {
    const all = visits();
    await write(
      all.map(({ count }) => count),
      isLate,
    );
    const without = await allTotals();
    await emptyRollups(db);
    await db.prepare('DELETE FROM slices').run();
    await write(
      all.flatMap(({ count, arms }) => [count, ...armCounts(count, arms)]),
      isLate,
    );
    expect(await allTotals()).toEqual(without);
  },
);

test('experiments: the results of each have its visitors, orders and money, by day and by segment', async () => {
  const all = visits();
  await write(
    all.flatMap(({ count, arms }) => [count, ...armCounts(count, arms)]),
    true,
  );
  for (const [at, experiment] of experiments.entries()) {
    const own = (variant: string, step: string, country?: string) =>
      all.filter(
        ({ count, arms }) =>
          arms[at]?.variant === variant &&
          count.step === step &&
          (country === undefined || count.slice.country === country),
      );
    const facts = await experimentFacts(db, experiment);
    expect(facts.map(({ arm }) => arm)).toEqual(['control', 'new']);
    const germans = (await segmentFacts(db, experiment, 'country')).get('DE') ?? [];
    for (const [index, variant] of ['control', 'new'].entries()) {
      const purchases = own(variant, 'purchase').filter(
        ({ count }) => count.payment?.slot === 'main',
      );
      const net = (currency: string) => {
        const of = (step: string) =>
          own(variant, step).filter(
            ({ count }) => count.payment?.currency === currency && count.payment.reason === '',
          ).length;
        return 999 * (of('capture') - of('refund') - of('dispute'));
      };
      expect(facts[index]).toMatchObject({
        visitors: own(variant, 'exposure').length,
        signUps: own(variant, 'sign_up').length,
        purchases: purchases.length,
        attempts: own(variant, 'attempt').length,
        declined: own(variant, 'declined').length,
        returned: own(variant, 'refund').length + own(variant, 'dispute').length,
        revenue: { USD: net('USD'), EUR: net('EUR') },
      });
      expect(germans[index]?.visitors).toBe(own(variant, 'exposure', 'DE').length);
      const days = (await experimentDays(db, experiment)).filter(({ arm }) => arm === variant);
      expect(days.reduce((sum, each) => sum + each.visitors, 0)).toBe(facts[index]?.visitors);
      expect(days.reduce((sum, each) => sum + each.purchases, 0)).toBe(purchases.length);
    }
  }
});
