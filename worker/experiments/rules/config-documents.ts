import * as v from 'valibot';
import type { Coupon } from '../../catalog/coupons.ts';
import { type Market, marketIds, type Shortcuts } from '../../catalog/markets.ts';
import type { PlanFamily } from '../../catalog/plans.ts';
import { builtInFlows, type Flow, isTestScreen, type ScreenId, testFlows } from './flows.ts';
import { configSchema, flowsSchema } from './schemas.ts';
import { typeOf, type Variant } from './split.ts';

/** What one arm offers: main plans in their order, and the families of its upsell and guide. */
export interface Offer {
  plans: PlanFamily[];
  /** The main plans once the offer's time is over; empty where nothing changes then. */
  after: PlanFamily[];
  upsell: PlanFamily;
  guide: PlanFamily;
}

/** The two configuration documents, checked as a pair and ready to use. */
export interface Configuration {
  experiment: string;
  variants: Variant[];
  offers: Map<string, Offer>;
  flows: Map<string, Flow>;
  aliases: Map<string, ScreenId>;
  coupons: Map<string, Coupon>;
  /** The e-mail shortcuts of markets that have their own. */
  shortcuts: Map<Market['id'], Shortcuts>;
  /** Names this pair, for caches. */
  version: string;
}

export type DocumentKey = 'config.json' | 'flows.json';

/** Why a pair does not count: the document, and what is wrong in it. */
export class InvalidDocument extends Error {
  readonly key: DocumentKey;
  constructor(key: DocumentKey, reason: string) {
    super(reason);
    this.key = key;
  }
}

const maxLength = 256 * 1024;
/** What is wrong, or doubtful, at one place of a document; an empty path is the document itself. */
export interface Problem {
  key: DocumentKey;
  path: string;
  reason: string;
}

/** The two documents as they are written, once nothing is wrong in them. */
export interface DocumentPair {
  config: v.InferOutput<typeof configSchema>;
  flows: v.InferOutput<typeof flowsSchema>;
}

/** An output next to problems is of the right shape, though not of the right content. */
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

/** The flows that a document gives: its own, before the built-in ones of the same name. */
export function allFlows({ flows }: DocumentPair['flows'], production = false): Map<string, Flow> {
  const tests = production ? {} : testFlows;
  return new Map<string, Flow>(Object.entries({ ...builtInFlows, ...tests, ...flows }));
}

/** In production nothing leads to a screen for tests. */
function forTests({ flows, aliases }: DocumentPair['flows']): Problem[] {
  const reason = 'is for tests, and production refuses it';
  const problem = (path: string): Problem => ({ key: 'flows.json', path, reason });
  return [
    ...Object.entries(flows).flatMap(([name, screens]) =>
      name in testFlows || screens.some(isTestScreen) ? [problem(`flows.${name}`)] : [],
    ),
    ...Object.entries(aliases).flatMap(([name, screen]) =>
      isTestScreen(screen) ? [problem(`aliases.${name}`)] : [],
    ),
  ];
}

/** An arm's flow must exist in the other document or be built in. */
function withoutFlow(
  { variants }: DocumentPair['config'],
  flows: DocumentPair['flows'],
  production: boolean,
): Problem[] {
  const all = allFlows(flows, production);
  return variants.flatMap(({ flow }, index) =>
    all.has(flow)
      ? []
      : [{ key: 'config.json', path: `variants.${index}.flow`, reason: `no flow ${flow}` }],
  );
}

/**
 * Checks the two documents as a pair.
 *
 * @param abortEarly whether the first problem of a document is enough
 * @param production whether flows for tests are refused
 * @returns the pair, or else at least one problem
 */
export function validateDocuments(
  config: string | null,
  flows: string | null,
  abortEarly = false,
  production = false,
): { pair: DocumentPair; problems: [] } | { pair: null; problems: [Problem, ...Problem[]] } {
  const one = parse('config.json', configSchema, config, abortEarly);
  const two = parse('flows.json', flowsSchema, flows, abortEarly);
  const between = [
    ...(production && two.output ? forTests(two.output) : []),
    ...(one.output && two.output ? withoutFlow(one.output, two.output, production) : []),
  ];
  const [first, ...others] = [...one.problems, ...two.problems, ...between];
  if (first) return { pair: null, problems: [first, ...others] };
  return { pair: { config: one.output, flows: two.output } as DocumentPair, problems: [] };
}

/** Everything that is wrong in the two documents; empty exactly when `readDocuments` takes them. */
export function problemsOf(config: string | null, flows: string | null): Problem[] {
  return validateDocuments(config, flows).problems;
}

/**
 * Reads the two documents as a pair.
 *
 * @param config text of `config.json`, null when missing
 * @param flows text of `flows.json`, null when missing
 * @param production whether flows for tests are refused
 * @throws InvalidDocument
 */
export function readDocuments(
  config: string | null,
  flows: string | null,
  production = false,
): Configuration {
  const { pair, problems } = validateDocuments(config, flows, true, production);
  if (!pair) {
    const [{ key, path, reason }] = problems;
    throw new InvalidDocument(key, path ? `${path}: ${reason}` : reason);
  }
  const { experiment, variants, offers, coupons, markets } = pair.config;
  return {
    experiment,
    variants,
    offers: new Map(Object.entries(offers)),
    flows: allFlows(pair.flows, production),
    aliases: new Map(Object.entries(pair.flows.aliases)),
    coupons: new Map(Object.entries(coupons)),
    shortcuts: new Map(
      marketIds.flatMap((id) => {
        const own = markets[id]?.shortcuts;
        return own ? [[id, own] as const] : [];
      }),
    ),
    version: versionOf(config, flows),
  };
}

/** Tells two versions of the documents apart, good or bad (FNV-1a: quick, for no more than that). */
export function versionOf(config: string | null, flows: string | null): string {
  const text = `${config}${flows}`;
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  }
  return String(value >>> 0);
}

const builtInOffer: Offer = {
  plans: ['monthly', 'quarterly'],
  after: [],
  upsell: 'upsell_monthly_999',
  guide: 'guide_1799',
};

/** What an arm offers: by its key, else by its type, else the built-in offer. */
export function offerOf(configuration: Configuration, arm: string): Offer {
  const { offers } = configuration;
  return offers.get(arm) ?? offers.get(typeOf(arm)) ?? builtInOffer;
}

/** The documents that serve until a marketer writes some. */
export const builtInDocuments: Record<DocumentKey, string> = {
  'config.json': JSON.stringify(
    {
      experiment: 'built-in',
      variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
      offers: { fullPrice: builtInOffer },
      coupons: {},
    },
    null,
    2,
  ),
  'flows.json': JSON.stringify({ flows: builtInFlows, aliases: {} }, null, 2),
};
