import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import { placeholdersOf } from '../../../locales/format/placeholders.ts';
import type { Language } from '../../../locales/index.ts';
import { languageDirection, languageName } from '../../content/language-files.ts';
import { runAudited } from '../../operators/audited-command.ts';
import type { App } from '../../platform/env.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { languageName as englishName } from '../parts/rules/names.ts';
import { type LiveTexts, liveTexts, publishedIn, textSet } from '../publishing/live-texts.ts';
import { type Editor, publishingPages } from '../publishing/publishing-pages.tsx';
import { editClaimPage } from './claims-pages.tsx';
import { writeConfirmations } from './confirmation-table.ts';
import { outdatedLanguages, wordChanges } from './rules/text-review.ts';
import { shownText, stateWord, textState, withText } from './rules/texts.ts';
import { TextReview } from './screens/text-review.tsx';
import { TextEdit } from './screens/texts.tsx';
import { changeIn, problemOf, type Sent, type TextChange } from './text-change.ts';
import { changedScreens } from './text-frames.ts';

async function editTextPage(
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
      direction: languageDirection(tag as Language),
      state: stateWord(textState(key, own, english)),
      text,
      builtIn: builtIn[key] ?? '',
      model: builtIn[key] ?? english.builtIn[key] ?? '',
      problem: sent && withText(own, key, text)[key] !== undefined ? problemOf(tag, key, text) : '',
    };
  });
  const shown = shownText(key, english, english);
  const change = { tag: english.tag, key, before: shown, after: shown };
  const props = {
    base: sent?.base ?? live.fingerprint,
    english: shown,
    screens: (await changedScreens(c, [change], live.documents)).map((one) => ({
      ...one,
      note: '',
    })),
    phoneScript: chunks['console-preview'] ?? '',
    textKey: key,
    placeholders: placeholdersOf(english.builtIn[key] ?? ''),
    script: chunks['console-texts'] ?? '',
    texts: rows,
  };
  const isWrong = rows.some(({ problem }) => problem);
  return consolePage(c, <TextEdit {...props} />, isWrong ? 422 : 200);
}

export const editText = async (c: Context<App>): Promise<Response> =>
  editTextPage(c, await liveTexts(c), (c.req.query('key') ?? '').slice(0, 200));

function refusedPage(c: Context<App>, texts: LiveTexts, change: TextChange): Promise<Response> {
  const { claim, key, base, sent } = change;
  if (claim) return editClaimPage(c, texts, { ...claim, base });
  return editTextPage(c, texts, key, { base, texts: sent });
}

const wordsIn = ({ languages }: LiveTexts, next: NonNullable<TextChange['next']>) =>
  wordChanges(languages, (tag) => publishedIn(next[`${tag}.json`]));

const textEditor: Editor<LiveTexts, TextChange> = {
  set: textSet,
  home: '/console/texts',
  versions: '/console/texts/versions',
  read: liveTexts,
  changeIn,
  refuse: refusedPage,
  async review(c, texts, { next, claim, key, fields }, common) {
    const { live, languages } = texts;
    const changes = wordsIn(texts, next);
    const isForm = Boolean(claim || key);
    const props = {
      ...common,
      changes,
      differences: textSet
        .differences(live.documents, next)
        .filter((line) => line.startsWith('content.json')),
      behind: outdatedLanguages(languages, changes),
      screens: (await changedScreens(c, changes, next)).map(({ note, ...screen }) => ({
        ...screen,
        note: englishName(note),
      })),
      script: chunks['console-preview'] ?? '',
      fields: [['base', live.fingerprint], ...fields] as [string, string][],
      back: isForm ? '/console/texts/edit' : '/console/texts/versions',
      isForm,
    };
    const status = common.conflict ? 409 : common.problem ? 422 : 200;
    return consolePage(c, <TextReview {...props} />, status);
  },
  publishedAt(texts, { next, key }) {
    const [changed] = wordsIn(texts, next);
    const shown = new URLSearchParams({ published: key, lng: changed?.tag ?? 'en' });
    return `/console/texts?${shown}`;
  },
};

export const textPages = publishingPages(textEditor);

export async function returnToText(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const texts = await liveTexts(c);
  return refusedPage(c, texts, await changeIn(c, fields, texts));
}

/** Records that a translation still matches English, and keeps other input of the form. */
export async function confirmText(c: Context<App>): Promise<Response> {
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
