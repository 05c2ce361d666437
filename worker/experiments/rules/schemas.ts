import * as v from 'valibot';
import { couponCode, couponSchema } from '../../catalog/coupons.ts';
import { isHost, marketIds } from '../../catalog/markets.ts';
import { planFamilies, planOf, type Slot } from '../../catalog/plans.ts';
import { isScreenId, type ScreenId } from './flows.ts';

/** How much a document may hold of each. */
const most = {
  plans: 6,
  variants: 100,
  // One for each arm and for each type.
  offers: 200,
  coupons: 1000,
  flows: 100,
  screens: 30,
  aliases: 1000,
};

const distinct = (all: readonly string[]) => new Set(all).size === all.length;

const host = v.pipe(v.string(), v.check(isHost, 'no host such as example.org'));
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'not a name of letters, digits, - and _'));
const sold = (slot: Slot) =>
  v.picklist(
    planFamilies.filter((family) => planOf(family, 'USD').slot === slot),
    `no plan that is sold as ${slot}`,
  );
const screen = v.custom<ScreenId>(
  (id) => typeof id === 'string' && isScreenId(id),
  'no such screen',
);

const main = v.pipe(
  v.array(sold('main')),
  v.maxLength(most.plans),
  v.check((all) => distinct(all), 'a plan stands twice'),
);
const offer = v.object({
  plans: v.pipe(main, v.minLength(1)),
  /** What is sold in their place once the offer's time is over. */
  after: v.optional(main, []),
  upsell: sold('upsell'),
  guide: sold('guide'),
});
/** A table of so many entries at most, counted before any is read; a list, too, is a record to valibot. */
const table = (entries: number) =>
  v.pipe(
    v.custom<Record<string, unknown>>((value) => !Array.isArray(value), 'a list'),
    v.check(
      (value) => typeof value !== 'object' || Object.keys(value ?? {}).length <= entries,
      `more than ${entries}`,
    ),
  );

const armKey = v.pipe(v.string(), v.regex(/^\w{1,32}(\/\w{1,32})?$/, 'not type or type/subtype'));

const market = v.object({
  /** The hosts that the sign-up offers for an e-mail. */
  shortcuts: v.optional(
    v.pipe(
      v.strictTuple([host, host, host], 'not three hosts'),
      v.check((all) => distinct(all), 'a host stands twice'),
    ),
  ),
});

/** `config.json`. */
export const configSchema = v.object({
  experiment: name,
  variants: v.pipe(
    v.array(
      v.object({
        key: armKey,
        weight: v.pipe(
          v.number(),
          v.minValue(0),
          v.check(
            (weight) => Number.isInteger(Math.round(weight * 1e6) / 1e4),
            'over two decimals',
          ),
        ),
        flow: name,
      }),
    ),
    v.minLength(1),
    v.maxLength(most.variants),
    v.check((all) => sum(all) === 10_000, 'weights do not add up to 100'),
    v.check((all) => new Set(all.map(({ key }) => key)).size === all.length, 'an arm stands twice'),
  ),
  offers: v.optional(v.pipe(table(most.offers), v.record(armKey, offer)), {}),
  coupons: v.optional(v.pipe(table(most.coupons), v.record(couponCode, couponSchema)), {}),
  markets: v.optional(v.pipe(table(marketIds.length), v.record(v.picklist(marketIds), market)), {}),
});

const flow = v.pipe(
  v.array(screen),
  v.minLength(1),
  v.maxLength(most.screens),
  v.check((all) => distinct(all), 'a screen stands twice'),
);

/** `flows.json`. */
export const flowsSchema = v.object({
  flows: v.pipe(table(most.flows), v.record(name, flow)),
  aliases: v.optional(v.pipe(table(most.aliases), v.record(name, screen)), {}),
});

const sum = (all: { weight: number }[]) =>
  all.reduce((total, { weight }) => total + Math.round(weight * 100), 0);
