import * as v from 'valibot';
import { builtInFlows, type Flow, isScreenId, type ScreenId } from './flows.ts';
import { type PlanFamily, planFamilies } from './plans.ts';
import { typeOf, type Variant } from './split.ts';

/** What one arm offers: main plans in their order, and the families of its upsell and guide. */
export interface Offer {
  plans: PlanFamily[];
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
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'not a name of letters, digits, - and _'));
const family = v.picklist(planFamilies);
const screen = v.custom<ScreenId>(
  (id) => typeof id === 'string' && isScreenId(id),
  'no such screen',
);

const configSchema = v.object({
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
  offers: v.optional(
    v.record(
      v.string(),
      v.object({ plans: v.pipe(v.array(family), v.minLength(1)), upsell: family, guide: family }),
    ),
    {},
  ),
  coupons: v.optional(v.record(v.string(), v.unknown()), {}),
});

const flowsSchema = v.object({
  flows: v.record(
    name,
    v.pipe(
      v.array(screen),
      v.minLength(1),
      v.check((flow) => new Set(flow).size === flow.length, 'a screen stands twice'),
    ),
  ),
  aliases: v.optional(v.record(name, screen), {}),
});

const sum = (all: { weight: number }[]) =>
  all.reduce((total, { weight }) => total + Math.round(weight * 100), 0);

function parse<S extends v.GenericSchema>(key: DocumentKey, schema: S, text: string | null) {
  if (text === null) throw new InvalidDocument(key, 'missing');
  if (text.length > maxLength) throw new InvalidDocument(key, 'larger than 256 KB');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InvalidDocument(key, 'not JSON');
  }
  const result = v.safeParse(schema, document, { abortEarly: true });
  if (result.success) return result.output as v.InferOutput<S>;
  const [issue] = result.issues;
  throw new InvalidDocument(key, `${v.getDotPath(issue) ?? 'document'}: ${issue.message}`);
}

/**
 * Reads the two documents as a pair: an arm's flow must exist in the other document or be built in.
 *
 * @param config text of `config.json`, null when missing
 * @param flows text of `flows.json`, null when missing
 * @throws InvalidDocument
 */
export function readDocuments(config: string | null, flows: string | null): Configuration {
  const { experiment, variants, offers } = parse('config.json', configSchema, config);
  const written = parse('flows.json', flowsSchema, flows);
  const all = new Map<string, Flow>([
    ...Object.entries(builtInFlows),
    ...Object.entries(written.flows),
  ]);
  for (const { key, flow } of variants) {
    if (!all.has(flow)) throw new InvalidDocument('config.json', `arm ${key}: no flow ${flow}`);
  }
  return {
    experiment,
    variants,
    offers: new Map(Object.entries(offers)),
    flows: all,
    aliases: new Map(Object.entries(written.aliases)),
    version: String(hash(`${config}${flows}`)),
  };
}

/** FNV-1a: only tells two versions of the documents apart. */
function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  }
  return value >>> 0;
}

const builtInOffer: Offer = {
  plans: ['monthly', 'quarterly'],
  upsell: 'upsell_monthly_799',
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
