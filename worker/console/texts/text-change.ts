import type { Context } from 'hono';
import type { Language } from '../../../locales/index.ts';
import { applyOverrides, mergeTexts } from '../../content/rules/text-overrides.ts';
import { ownTexts } from '../../content/translations.ts';
import type { Documents } from '../../documents/document-set.ts';
import { readVersion } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import type { App } from '../../platform/env.ts';
import { type LiveTexts, textSet } from '../publishing/live-texts.ts';
import {
  type ClaimId,
  type ClaimKind,
  claimProblems,
  type EditedClaim,
  withClaim,
} from './rules/claims.ts';
import { withText } from './rules/texts.ts';

/** Why a text would not be served; empty if it would. */
export function problemOf(tag: string, key: string, text: string): string {
  const builtIn = mergeTexts(ownTexts(tag as Language) ?? {}, ownTexts('en') ?? {});
  const [refused] = applyOverrides({ [key]: text }, builtIn, tag).refused;
  return refused?.reason ?? '';
}

export type Sent = ReadonlyMap<string, string>;

export interface SentClaim {
  kind: ClaimKind;
  /** Null for a new one. */
  id: ClaimId | null;
  edited: EditedClaim;
  problems: Map<string, string>;
}

export interface TextChange {
  /** The documents to publish; null if a text is invalid or there is no such text. */
  next: Documents | null;
  key: string;
  base: string;
  sent: Sent;
  claim: SentClaim | null;
  fields: [string, string][];
}

const maxFieldLength = 2000;

/** The change in the form of a claim or review. The server checks the limits of `content.json`. */
function claimChange(
  fields: URLSearchParams,
  { live, languages }: LiveTexts,
): Pick<TextChange, 'next' | 'claim' | 'fields'> {
  const textIn = (name: string) =>
    (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim().slice(0, maxFieldLength);
  const kind = fields.get('claim') === 'reviews' ? 'reviews' : 'claims';
  const place = Number(fields.get('id.at') ?? 0);
  const id = fields.has('id.source')
    ? ({ kind, source: textIn('id.source'), name: textIn('id.name'), at: place } as const)
    : null;
  const tags = languages.map(({ tag }) => tag).filter((tag) => fields.has(`text.${tag}`));
  const edited: EditedClaim = {
    source: textIn('source'),
    name: textIn('name'),
    img: textIn('img'),
    about: textIn('about'),
    texts: new Map(tags.map((tag) => [tag, textIn(`text.${tag}`)])),
    confirmed: new Set(fields.getAll('fits')),
  };
  const problems = claimProblems(kind, edited);
  const file = 'content.json';
  const next = {
    ...live.documents,
    [file]: withClaim(live.documents[file], kind, id, edited),
  };
  const [error] = problems.size > 0 ? [] : textSet.problems({ [file]: next[file] }).errors;
  if (error !== undefined) problems.set('', error);
  const again = [...fields].filter(([name]) =>
    /^(claim|id\.|source$|name$|img$|about$|fits$|text\.)/.test(name),
  );
  return {
    next: problems.size > 0 ? null : next,
    claim: { kind, id, edited, problems },
    fields: again,
  };
}

/** The change in a form: one key in all languages, or everything to an earlier version. */
export async function changeIn(
  c: Context<App>,
  fields: URLSearchParams,
  texts: LiveTexts,
): Promise<TextChange> {
  const { live, languages, english } = texts;
  const base = fields.get('base') ?? live.fingerprint;
  const version = fields.get('version');
  const common = { base, key: '', sent: new Map<string, string>(), claim: null };
  if (fields.has('claim')) return { ...common, ...claimChange(fields, texts) };
  if (version !== null) {
    const next = await readVersion(namespaceKv(c.env.FUNNEL), textSet, version);
    return { ...common, next, fields: [['version', version]] };
  }
  const key = (fields.get('key') ?? '').slice(0, 200);
  const sent = new Map<string, string>();
  const documents: Record<string, string | null> = { ...live.documents };
  for (const own of languages) {
    const field = fields.get(`text.${own.tag}`);
    if (field === null) continue;
    // Browsers send line breaks as two characters.
    const text = field.replaceAll('\r\n', '\n').trim();
    sent.set(own.tag, text);
    const published = withText(own, key, text);
    const file = `${own.tag}.json`;
    if (Object.keys(published).length > 0) documents[file] = JSON.stringify(published, null, 2);
    else delete documents[file];
  }
  const wrong = languages.some(
    (own) =>
      sent.has(own.tag) &&
      withText(own, key, sent.get(own.tag) ?? '')[key] !== undefined &&
      problemOf(own.tag, key, sent.get(own.tag) ?? ''),
  );
  return {
    ...common,
    key,
    sent,
    next: wrong || !Object.hasOwn(english.builtIn, key) ? null : documents,
    fields: [
      ['key', key],
      ...[...sent].map(([tag, text]): [string, string] => [`text.${tag}`, text]),
    ],
  };
}
