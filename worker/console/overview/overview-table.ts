import type { D1Database } from '@cloudflare/workers-types';
import { renewalReason } from '../../analytics/rules/count.ts';
import { dayMs, hourMs } from '../../platform/durations.ts';
import { previousOf, type ReportPeriod } from '../parts/rules/period.ts';
import {
  arrivalsBy,
  binder,
  type Condition,
  calendar,
  conditionOf,
  type Filters,
  type Group,
  type Span,
  totalsOf,
  visitsOf,
} from './rollup-sql.ts';

export interface StepCount {
  /** Start of the hour or of the day (UTC), ms since 1970. */
  time: number;
  step: string;
  visits: number;
}

export interface VariantCount {
  step: string;
  variant: string;
  visits: number;
}

export interface LandingCount {
  /** Empty if it is not known, or was not stored yet. */
  landing: string;
  visits: number;
}

export interface CountryCount {
  country: string;
  visits: number;
}

/** Null where `totals` counted by another dimension. */
interface ArmCount {
  step: string;
  variant: string | null;
  landing: string | null;
  country: string | null;
  visits: number;
}

export interface ScreenCount {
  step: string;
  screen: string;
  /** For Continue: the histogram bucket of the time on the screen. */
  bucket: number;
  visits: number;
}

export interface PaymentCount {
  /** Start of the hour or of the day (UTC), ms since 1970. */
  time: number;
  step: string;
  slot: string;
  currency: string;
  variant: string;
  landing: string;
  count: number;
  /** Minor units. */
  amount: number;
  /** Its contribution to the sum over buyers of their squared revenue. */
  squares: number;
  /** 1 for money of a later payment than the first. */
  renewal?: number;
}

const hourOrDay = (unit: ReportPeriod['unit']) =>
  unit === 'hour' ? 'hour' : `hour - hour % ${dayMs}`;

const arrivals = "'exposure', 'sign_up'";
const onScreens = "'screen__load', 'button__continue'";

export interface PeriodCounts {
  steps: StepCount[];
  payments: PaymentCount[];
}

export async function countsOf(
  db: D1Database,
  period: Span,
  filters: Group,
): Promise<PeriodCounts> {
  const condition = conditionOf(filters);
  const bind = binder(db, period, condition.values);
  const time = hourOrDay(period.unit);
  const wanted = arrivalsBy(arrivals, ['step', 'visits'], condition);
  const found = await db.batch([
    bind(
      `${totalsOf(wanted, condition, period.unit)}
       SELECT time, step, sum(visits) AS visits FROM rows GROUP BY time, step`,
    ),
    bind(
      `WITH RECURSIVE ${calendar('every_hour', hourMs)}
       SELECT ${time} AS time, step, slot, currency, variant, landing, reason = '${renewalReason}' AS renewal,
         sum(count) AS count, sum(amount) AS amount, sum(squares) AS squares
       FROM every_hour CROSS JOIN payments
         ON hour = time AND step IN ('purchase', 'declined', 'capture', 'refund', 'dispute')
       CROSS JOIN slices ON slices.id = slice_id WHERE ${condition.slice || 'true'}
       GROUP BY ${time}, step, slot, currency, variant, landing, renewal`,
    ),
  ]);
  const [steps, payments] = found.map(({ results }) => results);
  return { steps: (steps ?? []) as StepCount[], payments: (payments ?? []) as PaymentCount[] };
}

/** The previous period is empty when counting began during it: a month must not be compared with a day. */
export async function countsBeside(
  db: D1Database,
  period: ReportPeriod,
  filters: Filters,
): Promise<{ now: PeriodCounts; before: PeriodCounts }> {
  const { from } = period;
  const start = previousOf(period).from;
  const both = await countsOf(db, { ...period, from: start }, filters);
  const pick = (isNow: boolean): PeriodCounts => {
    const isWanted = ({ time }: { time: number }) => time >= from === isNow;
    return { steps: both.steps.filter(isWanted), payments: both.payments.filter(isWanted) };
  };
  const isWhole = both.steps.some(({ time }) => time < start + (from - start) / 4);
  return { now: pick(true), before: isWhole ? pick(false) : { steps: [], payments: [] } };
}

function armsOf(condition: Condition, unit: ReportPeriod['unit']): string {
  if (condition.slice === '') {
    const fields = ['step', 'variant', 'landing', 'country', 'visits'];
    return `${totalsOf(arrivalsBy(arrivals, fields, condition), condition, unit)}
      SELECT step, variant, landing, country, sum(visits) AS visits FROM rows
      GROUP BY step, variant, landing, country`;
  }
  // Sums by slice first: there are far fewer slices than rows, each of which would have to find its slice. The key
  // is one number, because rows are sorted by the key they are summed by.
  const key = "slice_id * 2 + (step = 'sign_up')";
  return `${visitsOf(arrivalsBy(arrivals, [`${key} AS arm`, 'visits'], condition), condition, unit)}
    SELECT iif(arm % 2, 'sign_up', 'exposure') AS step, variant, landing, country, sum(visits) AS visits
    FROM (SELECT arm, sum(visits) AS visits FROM rows GROUP BY arm)
    CROSS JOIN slices ON slices.id = arm / 2 GROUP BY 1, variant, landing, country`;
}

const visitsIn = (rows: readonly { visits: number }[]) =>
  rows.reduce((sum, { visits }) => sum + visits, 0);

/** Steps on each screen in a period, from rollups only. */
export async function screenCounts(
  db: D1Database,
  period: Span,
  filters: Filters,
): Promise<ScreenCount[]> {
  const condition = conditionOf(filters);
  const onScreen = { steps: onScreens, fields: ['step', 'screen', 'bucket', 'visits'] };
  const sql = `${totalsOf(onScreen, condition, period.unit)}
    SELECT step, screen, bucket, sum(visits) AS visits FROM rows GROUP BY step, screen, bucket`;
  const found = binder(db, period, condition.values)(sql);
  return (await found.all<ScreenCount>()).results;
}

/** Arrivals and sign-ups in a period by variant, and arrivals by landing and country, from rollups only. */
export async function armCounts(
  db: D1Database,
  period: Span,
  filters: Filters,
): Promise<{ variants: VariantCount[]; landings: LandingCount[]; countries: CountryCount[] }> {
  const condition = conditionOf(filters);
  const found = binder(db, period, condition.values)(armsOf(condition, period.unit));
  const { results: arms } = await found.all<ArmCount>();
  const variants = arms.filter((row): row is ArmCount & VariantCount => row.variant !== null);
  const arrived = arms.filter(({ step }) => step === 'exposure');
  const landings = arrived.filter((row): row is ArmCount & LandingCount => row.landing !== null);
  const countries = arrived.filter((row): row is ArmCount & CountryCount => row.country !== null);
  // `totals` has no landings of the days before they were stored.
  const all = variants.filter(({ step }) => step === 'exposure');
  const visits = visitsIn(all) - visitsIn(landings);
  return {
    variants,
    landings: visits > 0 ? [...landings, { landing: '', visits }] : landings,
    countries,
  };
}

export interface CountryPayment
  extends Pick<PaymentCount, 'step' | 'slot' | 'currency' | 'count' | 'amount'> {
  country: string;
}

/** Purchases and money of a period by the buyers' country. */
export async function countryPayments(
  db: D1Database,
  period: Span,
  filters: Filters,
): Promise<CountryPayment[]> {
  const condition = conditionOf(filters);
  const sql = `WITH RECURSIVE ${calendar('every_hour', hourMs)}
    SELECT country, step, slot, currency, sum(count) AS count, sum(amount) AS amount
    FROM every_hour CROSS JOIN payments
      ON hour = time AND step IN ('purchase', 'capture', 'refund', 'dispute')
    CROSS JOIN slices ON slices.id = slice_id WHERE ${condition.slice || 'true'}
    GROUP BY country, step, slot, currency`;
  return (await binder(db, period, condition.values)(sql).all<CountryPayment>()).results;
}
