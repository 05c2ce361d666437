import type { Context } from 'hono';
import type { Language } from '../../locales/index.ts';
import { readFlat, readMap } from '../content/rules/content-schema.ts';
import { flatTexts } from '../content/rules/flat-texts.ts';
import { type FlatTexts, mergeTexts } from '../content/rules/text-overrides.ts';
import { ownTexts } from '../content/translations.ts';
import { sha256 } from '../documents/live-documents.ts';
import { documentsOf, type Manifest, type Release } from '../documents/manifest.ts';
import { type App, isProduction } from '../platform/env.ts';
import { messageOf } from '../platform/log.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { frozenRelease } from './frozen-documents.ts';
import { type Configuration, readDocuments, sold } from './rules/config-documents.ts';
import { termTexts } from './rules/experiment-checks.ts';
import type { Holdout } from './rules/experiments-schema.ts';
import { screenIds } from './rules/flows.ts';
import type { VariantTexts } from './variant-texts.ts';

/** What a visitor in a holdout gets. */
export interface Base {
  configuration: Configuration;
  /** What visitors outside every test get: the split's first variant that is given. */
  arm: string | undefined;
  texts: readonly VariantTexts[];
}

interface Frozen {
  key: string;
  configuration: Configuration;
  /** Hashes of the texts by file. */
  texts: Release['documents'];
}

interface FrozenTexts {
  map: ReturnType<typeof readMap>;
  changes: readonly VariantTexts[];
}

const waitMs = 1_000;
const retryMs = 10_000;
const maxTexts = 40;

/** This isolate's copy; what a key names never changes. */
let known: Frozen | null = null;
/** By key, language and version of the live texts. */
const texts = new Map<string, FrozenTexts>();
let failed = { key: '', at: 0 };

const screens = new Set<string>(screenIds);

const keyOf = (holdout: Holdout, { config, content }: Manifest) =>
  JSON.stringify([holdout, config?.frozen, content?.frozen]);

async function frozen(c: Context<App>, holdout: Holdout, manifest: Manifest): Promise<Frozen> {
  const kv = c.env.FUNNEL;
  const key = keyOf(holdout, manifest);
  if (known?.key === key) return known;
  const [config, content] = await Promise.all([
    frozenRelease(kv, 'config', holdout, manifest),
    frozenRelease(kv, 'content', holdout, manifest),
  ]);
  const { 'experiments.json': _, ...documents } = await documentsOf(kv, config);
  const configuration = sold(readDocuments(documents, isProduction(c.env)), config);
  // Names the fixes, too: a page is cached by its version.
  const version = `${configuration.version}-in-${sha256(key).slice(0, 8)}`;
  known = { key, configuration: { ...configuration, version }, texts: content.documents };
  return known;
}

/** What makes the live texts the frozen ones; a purchase stores some, which are the same for everybody. */
function overLive(language: Language, own: FlatTexts, live: FlatTexts): FlatTexts {
  const builtIn = flatTexts(mergeTexts(ownTexts(language) ?? {}, ownTexts('en') ?? {}));
  const keys = Object.keys({ ...live, ...own }).filter((key) => !termTexts.test(key));
  const all = keys.map((key) => [key, own[key] ?? builtIn[key]] as const);
  return Object.fromEntries(
    all.flatMap(([key, text]) => (text === undefined || text === live[key] ? [] : [[key, text]])),
  );
}

async function readTexts(c: Context<App>, base: Frozen, live: FlatTexts): Promise<FrozenTexts> {
  const { language } = c.var.visitor;
  const [file, map] = [`${language}.json`, 'content.json'];
  const wanted = Object.entries(base.texts).filter(([name]) => name === file || name === map);
  const read = await documentsOf(c.env.FUNNEL, {
    version: 'of the texts',
    documents: Object.fromEntries(wanted),
  });
  const flat = overLive(language, readFlat(read[file] ?? '{}'), live);
  const changes = [{ arm: base.configuration.version, screens, texts: { [language]: flat } }];
  return { map: readMap(read[map] ?? '{}'), changes: Object.keys(flat).length > 0 ? changes : [] };
}

/** An external content service keeps no versions, so its texts stay the live ones. */
async function frozenTexts(c: Context<App>, base: Frozen): Promise<FrozenTexts | null> {
  const live = await c.var.content;
  if (!live || c.env.CONTENT_URL) return null;
  const key = [base.key, c.var.visitor.language, live.version].join('|');
  const found = texts.get(key) ?? (await readTexts(c, base, live.texts ?? {}));
  if (texts.size >= maxTexts) texts.clear();
  texts.set(key, found);
  return found;
}

const baseOf = (configuration: Configuration, own: readonly VariantTexts[] = []): Base => ({
  configuration,
  arm: configuration.variants.find(({ weight }) => weight > 0)?.key,
  texts: own,
});

async function readBase(c: Context<App>, holdout: Holdout, manifest: Manifest) {
  const base = await frozen(c, holdout, manifest);
  return { base, own: await frozenTexts(c, base) };
}

/** The frozen base, or the live one while it cannot be read. It replaces the request's claims and reviews. */
export async function memberBase(
  c: Context<App>,
  holdout: Holdout,
  manifest: Manifest,
  live: Configuration,
): Promise<Base> {
  const key = keyOf(holdout, manifest);
  if (failed.key === key && Date.now() - failed.at < retryMs) return baseOf(live);
  try {
    const { base, own } = await withTimeout(readBase(c, holdout, manifest), waitMs);
    const { configuration } = base;
    const content = await c.var.content;
    if (own && content) {
      const version = `${content.version}-${configuration.version}`;
      c.set('content', Promise.resolve({ ...content, version, map: own.map }));
    }
    return baseOf(configuration, own?.changes);
  } catch (error) {
    failed = { key, at: Date.now() };
    c.var.log('error', 'config_refused', { document: 'holdout', reason: messageOf(error) });
    return baseOf(live);
  }
}
