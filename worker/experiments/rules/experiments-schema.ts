import * as v from 'valibot';
import { brands } from '../../content/rules/themes.ts';
import { networks, placements } from '../../http/rules/traffic.ts';
import { typedKeys } from '../../platform/keys.ts';
import { addUpTo100 } from './routing.ts';

/** With names of these lengths the cookie `arms` stays below 1 KB. */
const most = { experiments: 20, variants: 6, values: 50 };
const experimentId = /^[\w-]{1,32}$/;
const variantKey = /^[\w-]{1,15}$/;

export const pageLanguages = 'ar de en es fr it ja ko nl pl pt-BR ru tr uk'.split(' ');

const isDistinct = (all: readonly unknown[]) => new Set(all).size === all.length;

const some = <Item extends v.GenericSchema>(item: Item) =>
  v.optional(
    v.pipe(
      v.array(item),
      v.minLength(1, 'empty'),
      v.maxLength(most.values, `more than ${most.values}`),
      v.check((all) => isDistinct(all), 'names one twice'),
    ),
  );
const oneOf = <const Names extends readonly string[]>(names: Names) =>
  v.picklist(names, `not one of ${names.join(', ')}`);
const words = (length: number) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty('empty'), v.maxLength(length, `over ${length} letters`));

const percent = v.pipe(
  v.number(),
  v.minValue(0, 'below 0'),
  v.maxValue(100, 'above 100'),
  v.check((share) => Number.isInteger(Math.round(share * 1e6) / 1e4), 'over two decimals'),
);
const instant = v.pipe(v.string(), v.isoTimestamp('not a time such as 2026-12-01T00:00:00Z'));
const time = v.optional(instant);
const metrics = ['purchases', 'sign_ups', 'revenue'] as const;

/** Every part that is given has to fit the visitor. */
const targetingSchema = v.strictObject({
  countries: some(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'not a country such as DE'))),
  languages: some(oneOf(pageLanguages)),
  devices: some(oneOf(['mobile', 'desktop'])),
  platforms: some(oneOf(['ios', 'android'])),
  sources: some(oneOf(networks)),
  placements: some(oneOf(placements)),
  campaigns: some(words(100)),
  visitors: v.optional(oneOf(['new', 'returning'])),
});

const texts = v.record(v.string(), v.string());

const changesSchema = v.strictObject({
  flow: v.optional(v.string()),
  offer: v.optional(v.string()),
  theme: v.optional(oneOf(typedKeys(brands))),
  /** By language, then by key, such as `screens.landing.one_pager.title`. */
  texts: v.optional(v.record(oneOf(pageLanguages), texts)),
});

/** The guardrail that took an arm out of a test; its visitors get the control while its weight is 0. */
export const stopSchema = v.strictObject({
  at: v.pipe(v.string(), v.isoTimestamp('not a time such as 2026-12-01T00:00:00Z')),
  guardrail: words(100),
  /** The share that the control has since then. */
  weight: percent,
});

const variantSchema = v.strictObject({
  key: v.pipe(v.string(), v.regex(variantKey, 'not a name of up to 15 letters, digits, - and _')),
  weight: percent,
  stopped: v.optional(stopSchema),
  changes: v.optional(changesSchema, {}),
});

const experimentSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(experimentId, 'not a name of up to 32 letters, digits, - and _')),
  hypothesis: words(500),
  targeting: v.optional(targetingSchema, {}),
  share: v.optional(percent, 100),
  layer: v.optional(v.pipe(v.string(), v.regex(experimentId, 'not a name'))),
  starts: time,
  ends: time,
  metric: oneOf(metrics),
  secondary: some(oneOf(metrics)),
  winner: v.optional(v.string()),
  /** When the winner became part of the other documents, so that it changes nothing any more. */
  rolled_out: time,
  /** For the list of past tests. */
  learned: v.optional(words(2000)),
  /** The first one is the control and changes nothing. */
  variants: v.pipe(
    v.array(variantSchema),
    v.minLength(2, 'fewer than two'),
    v.maxLength(most.variants, `more than ${most.variants}`),
    v.check((all) => addUpTo100(all), 'weights do not add up to 100'),
    v.check((all) => isDistinct(all.map(({ key }) => key)), 'names a variant twice'),
  ),
});

const holdoutSchema = v.strictObject({
  /** Of the visitors who are first seen while it runs. */
  share: percent,
  /** Of the configuration that they keep. */
  version: words(100),
  /** Of the texts that they keep; without it the built-in ones. */
  texts: v.optional(words(100)),
  starts: instant,
  ends: instant,
});

export const experimentsSchema = v.object({
  holdout: v.optional(holdoutSchema),
  experiments: v.pipe(
    v.array(experimentSchema),
    v.check(
      (all) => all.filter(({ winner }) => winner === undefined).length <= most.experiments,
      `more than ${most.experiments}`,
    ),
    v.check((all) => isDistinct(all.map(({ id }) => id)), 'names an experiment twice'),
  ),
});

export type Holdout = v.InferOutput<typeof holdoutSchema>;
export type Experiment = v.InferOutput<typeof experimentSchema>;
export type ExperimentVariant = v.InferOutput<typeof variantSchema>;
export type Changes = v.InferOutput<typeof changesSchema>;
