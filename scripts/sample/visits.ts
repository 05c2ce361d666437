import murmurhash from 'murmurhash';
import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import type { Currency } from '../../worker/catalog/rules/currencies.ts';
import { marketOf } from '../../worker/catalog/rules/markets.ts';
import { ownDiscount, type PlanFamily } from '../../worker/catalog/rules/plans.ts';
import { builtInFlows, type ScreenId, takesPayment } from '../../worker/experiments/rules/flows.ts';
import { dayMs } from '../../worker/platform/durations.ts';

const secondMs = 1000;

/** Days of the sample; the first experiment ends half-way. */
export const sampleDays = 60;
const firstExperimentDays = 30;

export const sampleExperiments = {
  landing: {
    name: 'sample-landing',
    variants: [
      { key: 'fullPrice', weight: 50, flow: 'default' },
      { key: 'people', weight: 50, flow: 'lp17ch17pr5' },
    ],
  },
  paywall: {
    name: 'sample-paywall',
    variants: [
      { key: 'fullPrice', weight: 60, flow: 'default' },
      { key: 'intro/7d', weight: 40, flow: 'lp11ch8' },
    ],
  },
} as const;

interface Movement {
  kind: 'capture' | 'refund' | 'dispute';
  at: number;
  amountMinor: number;
}

export interface SamplePurchase {
  slot: 'main' | 'upsell';
  plan: string;
  provider: 'stripe' | 'braintree';
  currency: Currency;
  at: number;
  amountMinor: number;
  /** The bank's decline reason; empty for a purchase. */
  declined: string;
  /** When the buyer cancelled the renewals; null while they run. */
  endedAt: number | null;
  movements: Movement[];
}

export interface SampleVisit {
  /** Such as `sample-20261122-17`; also the account's id. */
  id: string;
  at: number;
  country: string;
  language: string;
  device: string;
  source: string;
  experiment: string;
  variant: string;
  flow: string;
  /** Seconds until Continue, null on the last screen. */
  screens: { id: ScreenId; at: number; seconds: number | null }[];
  signedUpAt: number | null;
  purchases: SamplePurchase[];
}

/** A pseudo-random number in [0, 1) derived from the text. */
export const draw = (text: string) => murmurhash.v3(text) / 2 ** 32;

/** One of the values, in proportion to its weight. */
function pick<Value>(drawn: number, values: readonly (readonly [Value, number])[]): Value {
  let left = drawn * values.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of values) {
    left -= weight;
    if (left < 0) return value;
  }
  return (values.at(-1) as readonly [Value, number])[0];
}

const homes = [
  [['US', 'en'], 40],
  [['DE', 'de'], 16],
  [['GB', 'en'], 11],
  [['FR', 'fr'], 9],
  [['BR', 'pt-BR'], 9],
  [['ES', 'es'], 7],
  [['CA', 'en'], 5],
  [['JP', 'ja'], 3],
] as const;
const devices = [
  ['ios', 47],
  ['android', 38],
  ['desktop', 15],
] as const;
const sources = [
  ['meta', 48],
  ['google', 24],
  ['tiktok', 14],
  ['', 14],
] as const;
const reasons = [
  ['insufficient_funds', 5],
  ['do_not_honor', 3],
  ['expired_card', 1],
] as const;

/** The share of visitors who continue from a screen. */
function continues(screen: ScreenId, variant: string): number {
  if (screen.startsWith('one_pager')) return variant === 'people' ? 0.52 : 0.46;
  if (screen.startsWith('searching')) return 0.82;
  if (screen.startsWith('signup')) return 0.6;
  if (takesPayment(screen) && !screen.startsWith('upsell'))
    return variant === 'intro/7d' ? 0.36 : 0.26;
  return 1;
}

function screensOf(flow: string, variant: string, id: string, start: number) {
  const screens: SampleVisit['screens'] = [];
  let at = start;
  for (const screen of builtInFlows[flow] ?? []) {
    const goesOn = draw(`${id} goes on from ${screen}`) < continues(screen, variant);
    const seconds = Math.round(30 + 400 * draw(`${id} reads ${screen}`) ** 3) / 10;
    const isLast = !goesOn || screen === 'success';
    screens.push({ id: screen, at, seconds: isLast ? null : seconds });
    if (isLast) break;
    at += seconds * secondMs;
  }
  return screens;
}

/** Of a plan after its intro. */
export const periodDaysOf = (plan: string): number => (plan.includes('quarterly') ? 90 : 30);

function movementsOf(id: string, family: PlanFamily, bought: SamplePurchase) {
  const { at, amountMinor } = bought;
  const movements: Movement[] = [{ kind: 'capture', at, amountMinor }];
  const fate = draw(`${id} ${family} fate`);
  const later = at + (1 + Math.floor(6 * draw(`${id} ${family} later`))) * dayMs;
  // A fully refunded buyer has cancelled the renewals, too.
  const endedAt = fate < 0.05 ? later : bought.endedAt;
  if (fate < 0.05) movements.push({ kind: 'refund', at: later, amountMinor });
  else if (fate < 0.08) {
    movements.push({ kind: 'refund', at: later, amountMinor: Math.round(amountMinor / 2) });
  } else if (fate < 0.087) movements.push({ kind: 'dispute', at: later, amountMinor });
  const plan = builtInCatalog.planOf(family, bought.currency);
  const periodMs = periodDaysOf(plan.id) * dayMs;
  const end = Math.min(endedAt ?? Number.POSITIVE_INFINITY, at + sampleDays * dayMs);
  for (let due = at + (plan.introDays * dayMs || periodMs); due <= end; due += periodMs) {
    movements.push({ kind: 'capture', at: due, amountMinor: plan.price - ownDiscount(plan) });
  }
  return { endedAt, movements };
}

function purchase(
  visit: Pick<SampleVisit, 'id' | 'country'>,
  family: PlanFamily,
  slot: SamplePurchase['slot'],
  at: number,
): SamplePurchase {
  const { id, country } = visit;
  const { currency } = marketOf(country);
  const plan = builtInCatalog.planOf(family, currency);
  const endsAt = at + (2 + Math.floor(10 * draw(`${id} ${family} ends`))) * dayMs;
  const bought: SamplePurchase = {
    slot,
    plan: plan.id,
    provider: draw(`${id} provider`) < 0.8 ? 'stripe' : 'braintree',
    currency,
    at,
    amountMinor: plan.today - ownDiscount(plan),
    declined: draw(`${id} ${family} declined`) < 0.12 ? pick(draw(`${id} reason`), reasons) : '',
    endedAt: draw(`${id} ${family} stays`) < 0.3 ? endsAt : null,
    movements: [],
  };
  return bought.declined ? bought : { ...bought, ...movementsOf(id, family, bought) };
}

function purchasesOf(visit: SampleVisit): SamplePurchase[] {
  const paying = visit.screens.find(({ id, seconds }) => takesPayment(id) && seconds !== null);
  if (!paying) return [];
  const family = draw(`${visit.id} plan`) < 0.7 ? 'monthly' : 'quarterly';
  const main = visit.variant === 'intro/7d' ? 'monthly_7d' : family;
  const paidAt = paying.at + (paying.seconds ?? 0) * secondMs;
  const first = purchase(visit, main, 'main', paidAt);
  if (first.declined || draw(`${visit.id} upsell`) > 0.15) return [first];
  return [first, purchase(visit, 'upsell_monthly_999', 'upsell', paidAt + 20 * secondMs)];
}

function visitAt(day: number, number: number, first: number): SampleVisit {
  const id = `sample-${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}-${number}`;
  // More visits in the evening, fewer at night.
  const hour = (0.3 + (draw(`${id} hour`) + draw(`${id} minute`)) / 2) % 1;
  const at = day + Math.floor(hour * dayMs);
  const { name, variants } =
    day - first < firstExperimentDays * dayMs
      ? sampleExperiments.landing
      : sampleExperiments.paywall;
  const { key: variant, flow } = pick<(typeof variants)[number]>(
    draw(`${id} variant`),
    variants.map((each) => [each, each.weight] as const),
  );
  const [country, language] = pick<readonly [string, string]>(draw(`${id} home`), homes);
  const screens = screensOf(flow, variant, id, at);
  const signedUp = screens.find(({ id: screen }) => screen.startsWith('signup'));
  const visit: SampleVisit = {
    id,
    at,
    country,
    language,
    device: pick(draw(`${id} device`), devices),
    source: pick(draw(`${id} source`), sources),
    experiment: name,
    variant,
    flow,
    screens,
    signedUpAt: signedUp?.seconds ? signedUp.at + signedUp.seconds * secondMs : null,
    purchases: [],
  };
  const purchases = purchasesOf(visit);
  return { ...visit, purchases, screens: purchases[0]?.declined ? untilPaying(screens) : screens };
}

/** A declined visitor does not get past the payment screen. */
function untilPaying(screens: SampleVisit['screens']): SampleVisit['screens'] {
  const at = screens.findIndex(({ id }) => takesPayment(id));
  return screens
    .slice(0, at + 1)
    .map((screen, place) => (place < at ? screen : { ...screen, seconds: null }));
}

/** Visits per day: more each week, and at weekends. */
function visitorsOn(day: number, first: number): number {
  const weekend = [0, 6].includes(new Date(day).getUTCDay()) ? 1.2 : 1;
  const growth = 1 + (day - first) / (sampleDays * dayMs) / 2;
  return Math.round((100 + 30 * draw(`visitors ${day}`)) * weekend * growth);
}

/** Deterministic: the same days give the same visits. @param first start of the first day, UTC, ms since 1970 */
export function sampleVisits(first: number, until: number): SampleVisit[] {
  const days = Array.from(
    { length: Math.ceil((until - first) / dayMs) },
    (_, at) => first + at * dayMs,
  );
  return days.flatMap((day) =>
    Array.from({ length: visitorsOn(day, first) }, (_, number) => visitAt(day, number, first)),
  );
}
