import * as v from 'valibot';
import { couponCode, couponSchema } from './coupons.ts';
import { isScreenId, type ScreenId } from './flows.ts';
import { planFamilies, planOf, type Slot } from './plans.ts';

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

const main = v.array(sold('main'));
const offer = v.object({
  plans: v.pipe(main, v.minLength(1)),
  /** What is sold in their place once the offer's time is over. */
  after: v.optional(main, []),
  upsell: sold('upsell'),
  guide: sold('guide'),
});
// A list, too, is a record to valibot.
const table = v.custom<Record<string, unknown>>((value) => !Array.isArray(value), 'a list');

/** `config.json`. */
export const configSchema = v.object({
  experiment: name,
  variants: v.pipe(
    v.array(
      v.object({
        key: v.pipe(v.string(), v.regex(/^\w{1,32}(\/\w{1,32})?$/, 'not type or type/subtype')),
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
    v.maxLength(100),
    v.check((all) => sum(all) === 10_000, 'weights do not add up to 100'),
    v.check((all) => new Set(all.map(({ key }) => key)).size === all.length, 'an arm stands twice'),
  ),
  offers: v.optional(v.pipe(table, v.record(v.string(), offer)), {}),
  coupons: v.optional(v.pipe(table, v.record(couponCode, couponSchema)), {}),
});

const flow = v.pipe(
  v.array(screen),
  v.minLength(1),
  v.check((screens) => new Set(screens).size === screens.length, 'a screen stands twice'),
);

/** `flows.json`. */
export const flowsSchema = v.object({
  flows: v.pipe(table, v.record(name, flow)),
  aliases: v.optional(v.pipe(table, v.record(name, screen)), {}),
});

const sum = (all: { weight: number }[]) =>
  all.reduce((total, { weight }) => total + Math.round(weight * 100), 0);
