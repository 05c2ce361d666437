import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCandidate } from '../../scripts/config/documents.ts';
import { publishedContent, readFolder } from '../../scripts/content.ts';
import {
  type Context,
  diff,
  history,
  publish,
  rollback,
  show,
} from '../../scripts/versioned-documents.ts';
import type { DocumentSet, Documents } from '../../worker/documents/document-set.ts';
import type { Kv } from '../../worker/documents/kv.ts';
import { readLive } from '../../worker/documents/live-documents.ts';
import { documentKey } from '../../worker/documents/manifest.ts';
import { configSet } from '../../worker/experiments/config-set.ts';
import { builtInDocuments } from '../../worker/experiments/rules/config-documents.ts';
import { arm, commandContext, configText, flowsText, texts } from './config/command-context.ts';

const yes = { yes: true };
const folder = (name: string) => mkdtempSync(join(tmpdir(), name));
const at = (minute: number) => Date.UTC(2026, 10, 22, 10, minute, 30, 123);

const half = texts(configText([arm('a', 50), arm('b', 50)]));
const more = texts(configText([arm('a', 40), arm('b', 60)]));
const screens = ['one_pager', 'signup', 'checkout_v3_tr', 'success'];
const german = (text: string) => ({ 'de.json': JSON.stringify({ 'screens.common.terms': text }) });

interface Kind {
  set: DocumentSet;
  one: Documents;
  two: Documents;
  /** Keys that publishing `two` over `one` writes, in order. */
  keys: string[];
  /** A line that describes the change. */
  change: string;
  name: string;
  /** What history lists. */
  files: string;
}

/** Of the first three versions. */
const ids = ['20261122-100030-123', '20261122-100130-123', '20261122-100230-123'];
const keyOf = (text: string | null | undefined) =>
  documentKey(
    createHash('sha256')
      .update(text ?? '')
      .digest('hex')
      .slice(0, 32),
  );

const kinds: Record<string, Kind> = {
  config: {
    set: configSet,
    one: half,
    two: more,
    keys: [
      keyOf(more['config.json']),
      `documents/versions/config/${ids[1]}`,
      ...['config.json', 'flows.json', 'documents/manifest'],
    ],
    change: 'variant a: weight 50 → 40',
    name: 'config.json',
    files: 'config, flows',
  },
  content: {
    set: publishedContent,
    one: german('Eins'),
    two: german('Zwei'),
    keys: [
      keyOf(german('Zwei')['de.json']),
      `documents/versions/content/${ids[1]}`,
      'documents/manifest',
    ],
    change: 'de.json screens.common.terms: "Eins" → "Zwei"',
    name: 'de.json',
    files: 'de',
  },
};

describe.for(Object.entries(kinds))('publishing %s', ([, kind]) => {
  const { set, one, two, keys, change, name, files } = kind;
  const live = async (kv: Kv) => (await readLive(kv, set)).documents;

  async function published() {
    const each = commandContext();
    await publish(set, one, yes, each.context);
    each.printed.length = 0;
    each.written.length = 0;
    return each;
  }

  test('prints the change, asks, and writes in order', async () => {
    const { context, written, printed, questions } = await published();
    await publish(set, two, { yes: false }, context);
    expect(questions).toEqual(['Publish this on this machine?']);
    expect(written).toEqual(keys);
    expect(printed).toContain(change);
    expect(printed.at(-1)).toContain(`Published version ${ids[1]} on this machine.`);
  });

  test('writes nothing when the answer is no, and does not ask with --yes', async () => {
    const { context, written, questions, controls } = await published();
    controls.answer = false;
    const refused = publish(set, two, { yes: false }, context);
    await expect(refused).rejects.toThrow('Nothing was written.');
    expect(written).toEqual([]);
    await publish(set, two, yes, context);
    expect([questions.length, written.length]).toEqual([1, keys.length]);
  });

  test('writes nothing when the documents are live already, in whatever white space', async () => {
    const { context, written, printed } = await published();
    const spaced = Object.entries(one).map(([file, text]) => [file, `${text}\n`]);
    await publish(set, Object.fromEntries(spaced), yes, context);
    expect(written).toEqual([]);
    expect(printed.at(-1)).toBe('These documents are already live. Nothing was written.');
  });

  test('lists the written keys when a write fails, and half a publication is not live', async () => {
    for (const [index, broken] of keys.entries()) {
      const { context, controls } = await published();
      controls.broken = broken;
      const done = keys.slice(0, index).join(', ') || 'nothing';
      await expect(publish(set, two, yes, context)).rejects.toThrow(
        `KV could not write ${broken}: quota.\nWritten: ${done}. Not written: ${keys.slice(index).join(', ')}.`,
      );
      expect(await live(context.kv)).toEqual(one);
    }
  });

  test('rolls back to a version as a new one, and lists the newest first', async () => {
    const { context, printed } = await published();
    await publish(set, two, yes, context);
    await rollback(set, ids[0] ?? '', yes, context);
    expect(await live(context.kv)).toEqual(one);
    printed.length = 0;
    await history(set, context);
    const line = (index: number) =>
      `${ids[index]}  ${new Date(at(index)).toISOString()}  ann  ${files}`;
    expect(printed).toEqual([`${line(2)}  (live)`, line(1), line(0)]);
    await expect(rollback(set, '7', yes, context)).rejects.toThrow('There is no version 7');
  });

  test('shows the live documents, and writes them into a folder but never over a file', async () => {
    const { context, printed } = await published();
    await show(set, undefined, context);
    expect(printed[0]).toBe(
      `Version ${ids[0]}, published ${new Date(at(0)).toISOString()} by ann.`,
    );
    expect(printed).toContain(JSON.stringify(JSON.parse(one[name] ?? ''), null, 2));
    const to = join(folder('show-'), 'new');
    await show(set, to, context);
    const file = join(to, name);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(one[name] ?? ''));
    await expect(show(set, to, context)).rejects.toThrow(`${file} exists already`);
  });

  test('says so when nothing has been published', async () => {
    const { context, printed } = commandContext();
    await history(set, context);
    await show(set, undefined, context);
    expect(printed.slice(0, 2)).toEqual(Array(2).fill('Nothing has been published yet.'));
  });
});

describe('config documents', () => {
  test('a version contains both documents, its time and its author', async () => {
    const { context, stored } = commandContext();
    await publish(configSet, half, yes, context);
    expect(stored.get('config.json')).toBe(half['config.json']);
    const release = JSON.parse(stored.get('documents/versions/config/20261122-100030-123') ?? '');
    expect(release).toMatchObject({
      version: '20261122-100030-123',
      time: '2026-11-22T10:00:30.123Z',
      who: 'ann',
    });
    for (const [name, hash] of Object.entries(release.documents)) {
      expect(stored.get(`documents/${hash}`)).toBe(half[name as keyof typeof half]);
    }
  });

  test('invalid documents are not written', async () => {
    const { context, written, printed } = commandContext(half);
    const wrong = texts(configText([arm('a', 99)]));
    await expect(publish(configSet, wrong, yes, context)).rejects.toThrow('1 error.');
    expect(printed).toEqual(['error: config.json variants: weights do not add up to 100']);
    expect(written).toEqual([]);
  });

  test('only the first fifty errors are printed', async () => {
    const { context, printed } = commandContext();
    const wrong = texts(configText(), flowsText({ own: Array.from({ length: 99 }, (_, i) => i) }));
    await expect(publish(configSet, wrong, yes, context)).rejects.toThrow('99 errors');
    expect([printed.length, printed.at(-1)]).toEqual([51, 'and 49 more']);
  });

  test('a rollback can lead to the built-in documents', async () => {
    const { context } = commandContext();
    await publish(configSet, half, yes, context);
    await rollback(configSet, 'built-in', yes, context);
    expect((await readLive(context.kv, configSet)).documents).toEqual(builtInDocuments);
  });

  test('a version that cannot be read is refused', async () => {
    const { context } = commandContext({ 'config/2': '{"documents":{}}', 'config/3': 'text' });
    for (const id of ['2', '3']) {
      const back = rollback(configSet, id, yes, context);
      await expect(back).rejects.toThrow(`Version ${id} cannot be read.`);
    }
  });

  test('an omitted document stays as it is live', async () => {
    const config = join(folder('publish-'), 'c');
    writeFileSync(config, more['config.json']);
    const live = { ...half, 'flows.json': flowsText({ own: screens }) };
    const { context, stored, printed } = commandContext(live);
    const next = await readCandidate({ config }, context);
    expect(printed).toEqual([
      'flows.json not given; using the live version.',
      'catalog.json not given; using the live version.',
      'experiments.json not given; using the live version.',
    ]);
    await diff(configSet, next, context);
    expect(printed).toContain('variant b: weight 50 → 60');
    await publish(configSet, next, yes, context);
    expect(stored.get('flows.json')).toBe(flowsText({ own: screens }));
  });

  test('documents that were written by hand are shown, even if they are invalid', async () => {
    const { context, printed } = commandContext({ 'config.json': '{"half' });
    await show(configSet, undefined, context);
    expect(printed).toEqual([
      'Version unknown: these documents were not written by "publish".',
      'These documents are not valid. Visitors get an earlier version.',
      '\nconfig.json',
      '{"half',
      '\nflows.json',
      'missing',
    ]);
  });
});

describe('content documents', () => {
  test.for([
    ['de', '{"screens.common.terms":"<b>AGB</b>"}', 'screens.common.terms: other placeholders'],
    ['de', '{"screens.common.nothing":"AGB"}', 'screens.common.nothing: no such key'],
    ['de', '{"screens.comon.terms":"AGB"}', 'no such key; did you mean screens.common.terms?'],
    ['de', '{"islands.consent-banner.text":"Ja?"}', 'consent-banner.text: consent texts change'],
    ['de', '{"screens.common', 'de.json: not JSON'],
    ['tlh', '{}', 'tlh.json this language is not supported'],
    ['content', '{"reviews":[[{"name":"A","text":"b","language":"de"}]]}', 'content.json: reviews'],
  ])('an error in %s is printed and nothing is written: %s', async ([name, text, line]) => {
    const { context, written, printed } = commandContext();
    const wrong = { ...german('AGB'), [`${name}.json`]: text };
    const refused = publish(publishedContent, wrong, yes, context);
    await expect(refused).rejects.toThrow('1 error. Visitors would not get these documents.');
    expect(printed[0]).toContain(line);
    expect(written).toEqual([]);
  });

  test('a field that no page shows causes a warning, with the name that was probably meant', async () => {
    const review = { name: 'A', text: 'b', source: 'c', language: 'de' };
    const map = { review: [[]], reviews: [[review, { ...review, abuot: 'child', english: 'b' }]] };
    const warnings = (content: object) =>
      publishedContent.problems({ 'content.json': JSON.stringify(content) });
    expect(warnings(map)).toEqual({
      errors: [],
      warnings: [
        'content.json review: this field is not used; did you mean reviews?',
        'content.json reviews.0.1.abuot: this field is not used; did you mean about?',
      ],
    });
    expect(warnings({ reviews: [[{ ...review, english: 'b' }]], claims: [[]] }).warnings).toEqual(
      [],
    );
  });

  test('a rollback to the built-in texts creates a version like any other', async () => {
    const { context, printed } = commandContext();
    await publish(publishedContent, german('AGB'), yes, context);
    await rollback(publishedContent, 'built-in', yes, context);
    printed.length = 0;
    await history(publishedContent, context);
    const line = (minute: number) => `${ids[minute]}  ${new Date(at(minute)).toISOString()}  ann`;
    expect(printed).toEqual([`${line(1)}  built-in  (live)`, `${line(0)}  de`]);
    await rollback(publishedContent, ids[0] ?? '', yes, context);
    await rollback(publishedContent, ids[1] ?? '', yes, context);
    expect((await readLive(context.kv, publishedContent)).documents).toEqual({});
  });

  test('a missing key restores the built-in text', async () => {
    const { context, printed } = commandContext();
    await publish(publishedContent, german('AGB'), yes, context);
    await publish(publishedContent, { 'de.json': '{}' }, yes, context);
    expect(printed).toContain('de.json screens.common.terms: "AGB" → built-in');
  });

  test('a version is later than the live one, also when the clock was set back', async () => {
    const { context, controls } = commandContext();
    controls.minute = 5;
    await publish(publishedContent, german('Eins'), yes, context);
    controls.minute = 0;
    await publish(publishedContent, german('Zwei'), yes, context);
    const { manifest } = await readLive(context.kv, publishedContent);
    expect(manifest.content?.time).toBe(new Date(at(5) + 1).toISOString());
  });

  test('a folder written by `show` can be published', async () => {
    const from = folder('content-');
    writeFileSync(join(from, 'de.json'), german('AGB')['de.json']);
    const { context, printed } = commandContext();
    const send = async (path: string, to: Context) =>
      publish(publishedContent, await readFolder(path), yes, to);
    await send(from, context);
    await show(publishedContent, join(from, 'live'), context);
    await send(join(from, 'live'), context);
    expect(printed.at(-1)).toContain('already live');
    await expect(send(join(from, 'none'), context)).rejects.toThrow('There is no folder');
    await expect(send(folder('empty-'), context)).rejects.toThrow('contains no .json file');
  });
});
