import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import type { App } from '../../platform/env.ts';
import type { Outcome } from '../experiments/rules/roll-out.ts';
import { withText } from '../texts/rules/texts.ts';
import { confirmWritten, type LiveTexts, liveTexts, textSet } from './live-texts.ts';
import { publishAudited } from './publish-documents.ts';

interface TextsAfter extends LiveTexts {
  next: Documents;
}

/** The published texts with those of a winner; null if it has none. */
export async function textsAfter(
  c: Context<App>,
  { texts }: Pick<Outcome, 'texts'>,
): Promise<TextsAfter | null> {
  if (Object.keys(texts).length === 0) return null;
  const all = await liveTexts(c);
  const next: Record<string, string | null> = { ...all.live.documents };
  for (const own of all.languages) {
    const changed = Object.entries(texts[own.tag] ?? {});
    if (changed.length === 0) continue;
    const published = changed.reduce(
      (before, [key, text]) => withText({ ...own, published: before }, key, text),
      own.published,
    );
    next[`${own.tag}.json`] = JSON.stringify(published, null, 2);
  }
  return { ...all, next };
}

/** Publishes a winner's texts before its experiment ends. @returns why not; empty if they are live */
export async function publishTexts(
  c: Context<App>,
  outcome: Outcome | undefined,
  publication: { reason: string; base: string } | null,
): Promise<string> {
  const texts = outcome && (await textsAfter(c, outcome));
  if (!texts) return '';
  if (!publication) return 'Texts are rolled out at once. Choose “Now”.';
  const { next, live } = texts;
  const { reason, base } = publication;
  const details = { base, differences: textSet.differences(live.documents, next) };
  const change = { next, base, who: c.var.person.email, now: new Date() };
  const kv = namespaceKv(c.env.FUNNEL);
  const result = await publishAudited(textSet, kv, c.env.DB, change, { details, reason });
  if (result.kind === 'conflict') return 'Somebody published other texts meanwhile. Publish again.';
  if (result.kind === 'published') await confirmWritten(textSet, c.env.DB, live.documents, next);
  return 'errors' in result ? result.errors.join(', ') : 'reason' in result ? result.reason : '';
}
