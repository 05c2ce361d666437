import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { createPreview } from '../../experiments/preview.ts';
import { readDocuments } from '../../experiments/rules/config-documents.ts';
import { defaultType } from '../../experiments/rules/split.ts';
import { screensWith } from '../../experiments/rules/text-screens.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { publishedIn } from '../publishing/live-texts.ts';
import { liveConfig } from '../publishing/publish-documents.ts';
import { longestPart, type WordChange } from './rules/text-review.ts';

const frameSeconds = 60 * 60;

/** Live variants with their screens; none if the documents cannot be read. */
export async function liveVariants(c: Context<App>) {
  try {
    const live = await liveConfig(c);
    const read = readDocuments(live.documents, isProduction(c.env));
    return read.variants.map(({ key, flow }) => ({
      key,
      screens: (read.flows.get(flow) ?? []) as readonly string[],
    }));
  } catch {
    return [];
  }
}

export type LiveVariant = Awaited<ReturnType<typeof liveVariants>>[number];

/** In a variant that has the screen if there is one. @param texts of the language, instead of the published ones */
export async function textFrame(
  c: Context<App>,
  variants: readonly LiveVariant[],
  { screen, lng, texts }: { screen: string; lng: string; texts?: Record<string, string> },
): Promise<string> {
  const found = variants.find(({ screens }) => screens.includes(screen)) ?? variants[0];
  const arm = found?.key ?? defaultType;
  const preview = { arm, country: 'US', lng, framed: true, ...(texts && { texts }) };
  const token = await createPreview(namespaceKv(c.env.FUNNEL), preview, frameSeconds);
  return `/${screen}?frame=${token}`;
}

const maxFrames = 3;

export async function changedScreens(
  c: Context<App>,
  changes: readonly WordChange[],
  next: Documents,
): Promise<{ id: string; note: string; address: string; words: string }[]> {
  const variants = await liveVariants(c);
  const isLive = (id: string) => variants.some(({ screens }) => screens.includes(id));
  const isOne = new Set(changes.map(({ tag }) => tag)).size === 1;
  const shown = changes.flatMap((change) => {
    const all = screensWith(change.key);
    const live = all.filter(isLive);
    return (live.length > 0 ? live : all)
      .slice(0, isOne ? maxFrames : 1)
      .map((screen) => ({ ...change, screen }));
  });
  return Promise.all(
    shown.slice(0, maxFrames).map(async ({ tag, screen, after }) => ({
      id: screen,
      note: tag,
      address: await textFrame(c, variants, {
        ...{ screen, lng: tag, texts: publishedIn(next[`${tag}.json`]) },
      }),
      words: longestPart(after),
    })),
  );
}
