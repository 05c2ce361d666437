import * as v from 'valibot';
import { bankMethods } from '../../catalog/rules/bank-methods.ts';
import { cancelOffers } from '../../catalog/rules/cancel-offers.ts';
import { couponCode, couponSchema } from '../../catalog/rules/coupons.ts';
import type { Slot } from '../../catalog/rules/family.ts';
import { isHost, marketIds } from '../../catalog/rules/markets.ts';
import { planFamilies, planOf } from '../../catalog/rules/plans.ts';
import { stripeWallets } from '../../catalog/rules/stripe-wallets.ts';
import { allFlows, isScreenId, isTestScreen, type ScreenId, testFlows } from './flows.ts';
import { reportingSchema } from './reporting.ts';
import { addUpTo100, routingSchema } from './routing.ts';

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
const familyOf = (slot: Slot) =>
  oneOf(planFamilies.filter((family) => planOf(family, 'USD').slot === slot));
const screen = v.custom<ScreenId>(
  (id) => typeof id === 'string' && isScreenId(id),
  'no such screen',
);

const mainPlans = v.pipe(
  v.array(familyOf('main')),
  v.check((all) => distinct(all), 'names a plan twice'),
);
const cancelOffer = v.optional(v.picklist(cancelOffers, 'not pause, plan, help or none'));
export const offerSchema = v.pipe(
  v.object({
    plans: v.pipe(mainPlans, v.minLength(1)),
    after: v.optional(mainPlans, []),
    preselect: v.optional(familyOf('main')),
    upsell: familyOf('upsell'),
    guide: familyOf('guide'),
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
    v.partialCheck(
      [['plans'], ['after'], ['preselect']],
      ({ plans, after, preselect }) => !preselect || [...plans, ...after].includes(preselect),
      'not one of the plans of this offer',
    ),
    ['preselect'],
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
    v.maxLength(maxEntries.variants),
    v.check((all) => addUpTo100(all), 'weights do not add up to 100'),
    v.check((all) => distinct(all.map(({ key }) => key)), 'names an arm twice'),
  ),
  offers: v.optional(v.pipe(table(maxEntries.offers), v.record(armKey, offerSchema)), {}),
  coupons: v.optional(v.pipe(table(maxEntries.coupons), v.record(couponCode, couponSchema)), {}),
  markets: v.optional(
    v.pipe(table(marketIds.length), v.record(v.picklist(marketIds), marketSchema)),
    {},
  ),
  routing: v.optional(routingSchema, []),
  reporting: v.optional(reportingSchema),
  bank_methods: enabledOf(bankMethods),
  stripe_wallets: enabledOf(stripeWallets),
});

const flow = v.pipe(
  v.array(screen),
  v.minLength(1),
  v.check((all) => distinct(all), 'names a screen twice'),
);

export const flowsSchema = v.object({
  flows: v.pipe(table(maxEntries.flows), v.record(name, flow)),
  aliases: v.optional(v.pipe(table(maxEntries.aliases), v.record(name, screen)), {}),
});

const maxLength = 256 * 1024;

export type DocumentKey = 'config.json' | 'flows.json';

export interface Problem {
  key: DocumentKey;
  path: string;
  reason: string;
}

export interface DocumentPair {
  config: v.InferOutput<typeof configSchema>;
  flows: v.InferOutput<typeof flowsSchema>;
}

/** `output` may be set together with problems: then its types are right and its content is not. */
interface Parsed<Output> {
  output: Output | null;
  problems: Problem[];
}

function parse<S extends v.GenericSchema>(
  key: DocumentKey,
  schema: S,
  text: string | null,
  abortEarly: boolean,
): Parsed<v.InferOutput<S>> {
  const refuse = (reason: string) => ({ output: null, problems: [{ key, path: '', reason }] });
  if (text === null) return refuse('missing');
  if (text.length > maxLength) return refuse('larger than 256 KB');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return refuse(`not JSON (${(error as SyntaxError).message})`);
  }
  const { typed, output, issues = [] } = v.safeParse(schema, document, { abortEarly });
  return {
    output: typed ? output : null,
    problems: issues.map((issue) => ({
      key,
      path: v.getDotPath(issue) ?? '',
      reason: issue.message,
    })),
  };
}

function testScreenProblems({ flows, aliases }: DocumentPair['flows']): Problem[] {
  const reason = 'is for tests, and production refuses it';
  const problem = (path: string): Problem => ({ key: 'flows.json', path, reason });
  return [
    ...Object.entries(flows).flatMap(([flowName, screens]) =>
      flowName in testFlows || screens.some(isTestScreen) ? [problem(`flows.${flowName}`)] : [],
    ),
    ...Object.entries(aliases).flatMap(([alias, target]) =>
      isTestScreen(target) ? [problem(`aliases.${alias}`)] : [],
    ),
  ];
}

function missingFlowProblems(
  { variants }: DocumentPair['config'],
  flows: DocumentPair['flows'],
  production: boolean,
): Problem[] {
  const all = allFlows(flows, production);
  return variants.flatMap(({ flow: flowName }, index) =>
    all.has(flowName)
      ? []
      : [{ key: 'config.json', path: `variants.${index}.flow`, reason: `no flow ${flowName}` }],
  );
}

/** @param abortEarly stops at the first problem of each document */
export function validateDocuments(
  config: string | null,
  flows: string | null,
  abortEarly = false,
  production = false,
): { pair: DocumentPair; problems: [] } | { pair: null; problems: [Problem, ...Problem[]] } {
  const one = parse('config.json', configSchema, config, abortEarly);
  const two = parse('flows.json', flowsSchema, flows, abortEarly);
  const between = [
    ...(production && two.output ? testScreenProblems(two.output) : []),
    ...(one.output && two.output ? missingFlowProblems(one.output, two.output, production) : []),
  ];
  const [first, ...others] = [...one.problems, ...two.problems, ...between];
  if (first) return { pair: null, problems: [first, ...others] };
  return { pair: { config: one.output, flows: two.output } as DocumentPair, problems: [] };
}
