import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import { placeholdersOf } from '../../../locales/format/placeholders.ts';
import type { Language } from '../../../locales/index.ts';
import { languageName } from '../../content/language-files.ts';
import { liveVersion, readVersions } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { runAudited } from '../../operators/audited-command.ts';
import type { App } from '../../platform/env.ts';
import {
  consolePage,
  consoleRefusal,
  isContentRemote,
  remoteContentPage,
} from '../parts/console-response.tsx';
import { enterReason, readForm, reasonIn } from '../parts/form-fields.ts';
import {
  confirmWritten,
  type LiveTexts,
  liveTexts,
  publishedIn,
  textSet,
} from '../publishing/live-texts.ts';
import { publicationReasons } from '../publishing/publication-table.ts';
import { publishAudited } from '../publishing/publish-documents.ts';
import {
  newSchedule,
  notScheduled,
  scheduledTable,
  scheduleSent,
  waitingLines,
} from '../publishing/schedule-pages.tsx';
import { Versions } from '../publishing/screens/versions.tsx';
import { editClaimPage } from './claims-pages.tsx';
import { writeConfirmations } from './confirmation-table.ts';
import { outdatedLanguages, wordChanges } from './rules/text-review.ts';
import { shownText, stateOf, withText } from './rules/texts.ts';
import { TextReview } from './screens/text-review.tsx';
import { TextEdit } from './screens/texts.tsx';
import { changeIn, problemOf, type Sent, type TextChange } from './text-change.ts';
import { changedScreens } from './text-frames.ts';

function editTextPage(
  c: Context<App>,
  texts: LiveTexts,
  key: string,
  sent?: { base: string; texts: Sent },
): Promise<Response> {
  const { languages, english, live } = texts;
  if (!Object.hasOwn(english.builtIn, key)) {
    return consoleRefusal(c, 404, 'Not found', 'There is no such text.');
  }
  const rows = languages.map((own) => {
    const { tag, builtIn, published } = own;
    const text = sent?.texts.get(tag) ?? published[key] ?? builtIn[key] ?? '';
    return {
      tag,
      name: languageName(tag as Language),
      state: stateOf(key, own, english),
      text,
      builtIn: builtIn[key] ?? '',
      model: builtIn[key] ?? english.builtIn[key] ?? '',
      problem: sent && withText(own, key, text)[key] !== undefined ? problemOf(tag, key, text) : '',
    };
  });
  const props = {
    base: sent?.base ?? live.fingerprint,
    english: shownText(key, english, english),
    textKey: key,
    placeholders: placeholdersOf(english.builtIn[key] ?? ''),
    script: chunks['console-texts'] ?? '',
    texts: rows,
  };
  const isWrong = rows.some(({ problem }) => problem);
  return consolePage(c, <TextEdit {...props} />, isWrong ? 422 : 200);
}

export async function editText(c: Context<App>): Promise<Response> {
  if (isContentRemote(c)) return remoteContentPage(c);
  return editTextPage(c, await liveTexts(c), (c.req.query('key') ?? '').slice(0, 200));
}

function refusedPage(c: Context<App>, texts: LiveTexts, change: TextChange): Promise<Response> {
  const { claim, key, base, sent } = change;
  if (claim) return editClaimPage(c, texts, { ...claim, base });
  return editTextPage(c, texts, key, { base, texts: sent });
}

/** Whether the change can be published; a text needs an existing key. */
const isWhole = ({ next, claim, key, fields }: TextChange, { english }: LiveTexts): boolean =>
  next !== null &&
  (claim !== null || fields[0]?.[0] === 'version' || Object.hasOwn(english.builtIn, key));

async function reviewPage(
  c: Context<App>,
  { live, languages }: LiveTexts,
  change: TextChange,
  { conflict = false, problem = '' }: { conflict?: boolean; problem?: string } = {},
): Promise<Response> {
  const { claim, key, fields } = change;
  const next = change.next ?? {};
  const changes = wordChanges(languages, (tag) => publishedIn(next[`${tag}.json`]));
  const props = {
    changes,
    differences: textSet
      .differences(live.documents, next)
      .filter((line) => line.startsWith('content.json')),
    behind: outdatedLanguages(languages, changes),
    screens: await changedScreens(c, changes, next),
    script: chunks['console-preview'] ?? '',
    warnings: await waitingLines(c, 'content', next),
    fields: [['base', live.fingerprint], ...fields] as [string, string][],
    back: claim || key ? null : '/console/texts/versions',
    conflict,
    problem,
    ...newSchedule(c),
  };
  return consolePage(c, <TextReview {...props} />, conflict ? 409 : problem ? 422 : 200);
}

export async function returnToText(c: Context<App>): Promise<Response> {
  if (isContentRemote(c)) return remoteContentPage(c);
  const fields = await readForm(c);
  const texts = await liveTexts(c);
  return refusedPage(c, texts, await changeIn(c, fields, texts));
}

export async function reviewText(c: Context<App>): Promise<Response> {
  if (isContentRemote(c)) return remoteContentPage(c);
  const fields = await readForm(c);
  const texts = await liveTexts(c);
  const change = await changeIn(c, fields, texts);
  if (!isWhole(change, texts)) return refusedPage(c, texts, change);
  return reviewPage(c, texts, change, { conflict: change.base !== texts.live.fingerprint });
}

export async function publishText(c: Context<App>): Promise<Response> {
  if (isContentRemote(c)) return remoteContentPage(c);
  const fields = await readForm(c);
  const { DB, FUNNEL } = c.env;
  const texts = await liveTexts(c);
  const change = await changeIn(c, fields, texts);
  const { next, base } = change;
  if (!next || !isWhole(change, texts)) return refusedPage(c, texts, change);
  const reason = reasonIn(fields);
  if (!reason) return reviewPage(c, texts, change, { problem: enterReason });
  const details = { base, differences: textSet.differences(texts.live.documents, next) };
  const publication = { next, base, who: c.var.person.email, now: new Date() };
  const kv = namespaceKv(FUNNEL);
  const result = await publishAudited(textSet, kv, DB, publication, { details, reason });
  if (result.kind === 'published') {
    await confirmWritten(DB, texts.live.documents, next);
    const [changed] = wordChanges(texts.languages, (tag) => publishedIn(next[`${tag}.json`]));
    const shown = new URLSearchParams({ published: change.key, lng: changed?.tag ?? 'en' });
    return c.redirect(`/console/texts?${shown}`, 303);
  }
  if (result.kind === 'unchanged') return c.redirect('/console/texts', 303);
  if (result.kind === 'invalid') return refusedPage(c, texts, change);
  const latest = await liveTexts(c);
  return reviewPage(c, latest, await changeIn(c, fields, latest), { conflict: true });
}

export async function scheduleText(c: Context<App>): Promise<Response> {
  if (isContentRemote(c)) return remoteContentPage(c);
  const fields = await readForm(c);
  const texts = await liveTexts(c);
  const change = await changeIn(c, fields, texts);
  const { next, base } = change;
  if (!next || !isWhole(change, texts)) return refusedPage(c, texts, change);
  if (!reasonIn(fields)) return reviewPage(c, texts, change, { problem: enterReason });
  const result = await scheduleSent(c, fields, { kind: 'content', next, base });
  if (result.kind === 'scheduled') return c.redirect('/console/texts/versions?done=scheduled', 303);
  if (result.kind === 'unchanged') return c.redirect('/console/texts', 303);
  if (result.kind === 'invalid') return refusedPage(c, texts, change);
  return result.kind === 'conflict'
    ? reviewPage(c, texts, change, { conflict: true })
    : reviewPage(c, texts, change, { problem: notScheduled(c, result) });
}

export async function showTextVersions(c: Context<App>): Promise<Response> {
  if (isContentRemote(c)) return remoteContentPage(c);
  const [versions, { live }, scheduled, reasons] = await Promise.all([
    readVersions(namespaceKv(c.env.FUNNEL), textSet),
    liveTexts(c),
    scheduledTable(c, 'content'),
    publicationReasons(c.env.DB, 'content').catch(() => new Map<string, string>()),
  ]);
  const builtIn = { id: 'built-in', time: '', who: '' };
  const current = liveVersion(versions, live)?.id ?? builtIn.id;
  return consolePage(
    c,
    <Versions
      kind="content"
      versions={[...versions.slice(0, 50), builtIn].map((version) => ({
        ...version,
        reason: reasons.get(version.id) ?? '',
        isLive: version.id === current,
      }))}
      {...scheduled}
    />,
  );
}

/** Records that a translation still matches English, and keeps other input of the form. */
export async function confirmText(c: Context<App>): Promise<Response> {
  if (isContentRemote(c)) return remoteContentPage(c);
  const fields = await readForm(c);
  const texts = await liveTexts(c);
  const { key, base, sent } = await changeIn(c, fields, texts);
  const [language, english] = [fields.get('confirm') ?? '', fields.get('english') ?? ''];
  const isTranslation = texts.languages.some(({ tag }) => tag === language && tag !== 'en');
  if (isTranslation && Object.hasOwn(texts.english.builtIn, key)) {
    const [operator, target] = [c.var.person.email, `${language} ${key}`];
    const command = { operator, action: 'confirm_text', target, details: { english }, reason: '' };
    const row = { key, language, english: english.replaceAll('\r\n', '\n').slice(0, 2000) };
    const context = { DB: c.env.DB, log: c.var.log };
    const write = () => writeConfirmations(c.env.DB, [row]);
    await runAudited(context, command, write, () => 'confirmed');
  }
  return editTextPage(c, await liveTexts(c), key, { base, texts: sent });
}
