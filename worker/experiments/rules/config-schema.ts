import * as v from 'valibot';
import { bankMethods } from '../../catalog/rules/bank-methods.ts';
import { cancelOffers } from '../../catalog/rules/cancel-offers.ts';
import { catalogSchema } from '../../catalog/rules/catalog-document.ts';
import { couponCode, couponSchema } from '../../catalog/rules/coupons.ts';
import { isHost, marketIds } from '../../catalog/rules/markets.ts';
import { stripeWallets } from '../../catalog/rules/stripe-wallets.ts';
import { experimentsSchema, stopSchema } from './experiments-schema.ts';
import { isScreenId, type ScreenId } from './flows.ts';
import { reportingSchema } from './reporting.ts';
import { addUpTo100, routingSchema } from './routing.ts';
import { trustLabels } from './trust-labels.ts';

const maxEntries = {
  variants: 100,
  offers: 200,
  coupons: 1000,
  flows: 100,
  aliases: 1000,
};

const distinct = (all: readonly string[]) => new Set(all).size === all.length;

const host = v.pipe(v.string(), v.check(isHost, 'not a host such as example.org'));
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'not a name of letters, digits, - and _'));
const oneOf = <const T extends readonly string[]>(names: T) =>
  v.picklist(names, `not one of ${names.join(', ')}`);
/** A product, or one of its versions: `monthly`, `monthly@4`. It has to be in the catalog. */
const planReference = v.pipe(v.string(), v.maxLength(64, 'longer than 64 letters'));
const screen = v.custom<ScreenId>(
  (id) => typeof id === 'string' && isScreenId(id),
  'no such screen',
);

const mainPlans = v.pipe(
  v.array(planReference),
  v.maxLength(20, 'more than 20 plans'),
  v.check((all) => distinct(all), 'names a plan twice'),
);
const cancelOffer = v.optional(v.picklist(cancelOffers, 'not pause, plan, help or none'));
export const offerSchema = v.pipe(
  v.object({
    plans: v.pipe(mainPlans, v.minLength(1)),
    /** The main plans shown after the offer has expired; empty if it does not expire. */
    after: v.optional(mainPlans, []),
    /** The plan selected at first, in place of the one with the lowest price per day. */
    preselect: v.optional(planReference),
    /** The only plan that may be marked, while it has the lowest price per day. */
    best_value: v.optional(planReference),
    upsell: planReference,
    guide: planReference,
    /** The offer before a cancellation, where it differs from the built-in one. */
    cancel: v.optional(
      v.strictObject({
        too_expensive: cancelOffer,
        not_needed: cancelOffer,
        not_working: cancelOffer,
        another: cancelOffer,
      }),
    ),
  }),
  v.forward(
    v.check(
      ({ plans, after, preselect, best_value }) =>
        [preselect, best_value].every((one) => !one || [...plans, ...after].includes(one)),
      'without the plan that is preselected or marked',
    ),
    ['plans'],
  ),
);
/** Counts the entries before valibot reads them. Refuses a list, which valibot would accept as a record. */
const table = (most: number) =>
  v.pipe(
    v.custom<Record<string, unknown>>((value) => !Array.isArray(value), 'a list'),
    v.check(
      (value) => typeof value !== 'object' || Object.keys(value ?? {}).length <= most,
      `more than ${most}`,
    ),
  );

const armKey = v.pipe(
  v.string(),
  v.regex(/^\w{1,32}(\/\w{1,32})?$/, 'write letters, digits and _, such as short or intro/7d'),
);

export const marketSchema = v.object({
  shortcuts: v.optional(
    v.pipe(
      v.strictTuple([host, host, host], 'not three hosts'),
      v.check((all) => distinct(all), 'names a host twice'),
    ),
  ),
});

const enabledOf = <const T extends readonly string[]>(names: T) =>
  v.optional(
    v.pipe(
      v.array(oneOf(names)),
      v.check((all) => distinct(all), 'names a method twice'),
    ),
    [],
  );

const trust = oneOf(trustLabels);

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
        stopped: v.optional(stopSchema),
      }),
    ),
    v.minLength(1),
    v.maxLength(maxEntries.variants),
    v.check((all) => addUpTo100(all), 'weights do not add up to 100'),
    v.check((all) => distinct(all.map(({ key }) => key)), 'names an arm twice'),
  ),
  offers: v.optional(v.pipe(table(maxEntries.offers), v.record(armKey, offerSchema)), {}),
  coupons: v.optional(
    v.pipe(
      table(maxEntries.coupons),
      v.record(couponCode, couponSchema),
      v.check(
        (all) =>
          Object.entries(all).every(
            ([name, { codes, max_redemptions }]) =>
              !codes || (name.length <= 19 && max_redemptions === undefined),
          ),
        'a coupon with codes has a name of at most 19 letters and no max_redemptions',
      ),
    ),
    {},
  ),
  markets: v.optional(
    v.pipe(table(marketIds.length), v.record(v.picklist(marketIds), marketSchema)),
    {},
  ),
  routing: v.optional(routingSchema, []),
  reporting: v.optional(reportingSchema),
  /** The labels below a landing's button. */
  trust: v.optional(
    v.pipe(
      v.strictTuple([trust, trust, trust], 'not three labels'),
      v.check((all) => distinct(all), 'names a label twice'),
    ),
    ['consent', 'confidential', 'ssl'],
  ),
  bank_methods: enabledOf(bankMethods),
  stripe_wallets: enabledOf(stripeWallets),
});

const flow = v.pipe(
  v.array(screen),
  v.minLength(1),
  v.check((all) => distinct(all), 'names a screen twice'),
);

const flowsSchema = v.object({
  flows: v.pipe(table(maxEntries.flows), v.record(name, flow)),
  aliases: v.optional(v.pipe(table(maxEntries.aliases), v.record(name, screen)), {}),
});

/** The schema of each kind of document, by the name of its file. Its entry in `kinds` has the rest. */
export const schemas = {
  config: configSchema,
  flows: flowsSchema,
  catalog: catalogSchema,
  experiments: experimentsSchema,
};

type Kind = keyof typeof schemas;

export type DocumentKey = `${Kind}.json`;

/** All documents, parsed; a parsed one may be used with the others. */
export type ConfigSet = { [K in Kind]: v.InferOutput<(typeof schemas)[K]> };

export interface Problem {
  key: DocumentKey;
  path: string;
  reason: string;
}
