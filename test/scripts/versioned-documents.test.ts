import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readCandidate } from '../../scripts/config/documents.ts';
import { contentStore, readFolder } from '../../scripts/content.ts';
import {
  type Context,
  diff,
  history,
  publish,
  rollback,
  show,
} from '../../scripts/versioned-documents.ts';
import { wranglerKv } from '../../scripts/wrangler.ts';
import type { DocumentStore, Documents } from '../../worker/documents/versioned-documents.ts';
import { configStore, liveTexts, writeOrder } from '../../worker/experiments/config-versions.ts';
import { builtInDocuments } from '../../worker/experiments/rules/config-documents.ts';
import { arm, commandContext, configText, flowsText, texts } from './config/command-context.ts';

const yes = { yes: true };
const folder = (name: string) => mkdtempSync(join(tmpdir(), name));
const at = (minute: number) => Date.UTC(2026, 10, 22, 10, minute, 30, 123);

const half = texts(configText([arm('a', 50), arm('b', 50)]));
const more = texts(configText([arm('a', 40), arm('b', 60)]));
const screens = ['one_pager', 'signup', 'checkout_v3_tr', 'success'];
const withFlow = texts(configText([arm('a', 100, 'own')]), flowsText({ own: screens }));
const german = (text: string) => ({ 'de.json': JSON.stringify({ 'screens.common.terms': text }) });

interface Kind {
  store: DocumentStore<Documents>;
  one: Documents;
  two: Documents;
  /** Ids of the first three versions. */
  ids: string[];
  /** Keys that publishing `two` over `one` writes, in order. */
  keys: string[];
  /** A line that describes the change. */
  change: string;
  /** Where the text of `name` is after the third version was published. */
  key: string;
  name: string;
}

const kinds: Record<string, Kind> = {
  config: {
    store: configStore as DocumentStore<Documents>,
    one: half,
    two: more,
    ids: ['20261122-100030-123', '20261122-100130-123', '20261122-100230-123'],
    keys: ['config/20261122-100130-123', 'config.json', 'flows.json'],
    change: 'variant a: weight 50 → 40',
    key: 'config.json',
    name: 'config.json',
  },
  content: {
    store: contentStore,
    one: german('Eins'),
    two: german('Zwei'),
    ids: [String(at(0)), String(at(1)), String(at(2))],
    keys: [`content/${at(1)}/de`, 'content/manifest'],
    change: 'de.json screens.common.terms: "Eins" → "Zwei"',
    key: `content/${at(2)}/de`,
    name: 'de.json',
  },
};

describe.for(Object.entries(kinds))('publishing %s', ([, kind]) => {
  const { store, one, two, ids, keys, change, key, name } = kind;

  async function published() {
    const each = commandContext();
    await publish(store, one, yes, each.context);
    each.printed.length = 0;
    each.written.length = 0;
    return each;
  }

  test('prints the change, asks, and writes in order', async () => {
    const { context, written, printed, questions } = await published();
    await publish(store, two, { yes: false }, context);
    expect(questions).toEqual(['Publish this on this machine?']);
    expect(written).toEqual(keys);
    expect(printed).toContain(change);
    expect(printed.at(-1)).toContain(`Published version ${ids[1]} on this machine.`);
  });

  test('writes nothing when the answer is no, and does not ask with --yes', async () => {
    const { context, written, questions, controls } = await published();
    controls.answer = false;
    const refused = publish(store, two, { yes: false }, context);
    await expect(refused).rejects.toThrow('Nothing was written.');
    expect(written).toEqual([]);
    await publish(store, two, yes, context);
    expect([questions.length, written.length]).toEqual([1, keys.length]);
  });

  test('writes nothing when the documents are live already, in whatever white space', async () => {
    const { context, written, printed } = await published();
    const spaced = Object.entries(one).map(([file, text]) => [file, `${text}\n`]);
    await publish(store, Object.fromEntries(spaced), yes, context);
    expect(written).toEqual([]);
    expect(printed.at(-1)).toBe('These documents are already live. Nothing was written.');
  });

  test('lists the written documents when a write fails', async () => {
    for (const [index, broken] of keys.entries()) {
      const { context, controls } = await published();
      controls.broken = broken;
      const done = keys.slice(0, index).join(', ') || 'nothing';
      await expect(publish(store, two, yes, context)).rejects.toThrow(
        `KV could not write ${broken}: quota.\nWritten: ${done}. Not written: ${keys.slice(index).join(', ')}.`,
      );
    }
  });

  test('rolls back to a version as a new one, and lists the newest first', async () => {
    const { context, stored, printed } = await published();
    await publish(store, two, yes, context);
    await rollback(store, ids[0] ?? '', yes, context);
    expect(stored.get(key)).toBe(one[name]);
    printed.length = 0;
    await history(store, context);
    const line = (index: number) => `${ids[index]}  ${new Date(at(index)).toISOString()}  ann`;
    const files = kind === kinds.content ? '  de' : '';
    expect(printed).toEqual([
      `${line(2)}${files}  (live)`,
      `${line(1)}${files}`,
      `${line(0)}${files}`,
    ]);
    await expect(rollback(store, '7', yes, context)).rejects.toThrow('There is no version 7');
  });

  test('shows the live documents, and writes them into a folder but never over a file', async () => {
    const { context, printed } = await published();
    await show(store, undefined, context);
    expect(printed[0]).toBe(
      `Version ${ids[0]}, published ${new Date(at(0)).toISOString()} by ann.`,
    );
    expect(printed).toContain(JSON.stringify(JSON.parse(one[name] ?? ''), null, 2));
    const to = join(folder('show-'), 'new');
    await show(store, to, context);
    const file = join(to, name);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(one[name] ?? ''));
    await expect(show(store, to, context)).rejects.toThrow(`${file} exists already`);
  });

  test('says so when nothing has been published', async () => {
    const { context, printed } = commandContext();
    await history(store, context);
    await show(store, undefined, context);
    expect(printed.slice(0, 2)).toEqual(Array(2).fill('Nothing has been published yet.'));
  });
});

describe('config documents', () => {
  test('a version contains both documents, its time and its author', async () => {
    const { context, stored } = commandContext();
    await publish(configStore, half, yes, context);
    expect(stored.get('config.json')).toBe(half['config.json']);
    expect(JSON.parse(stored.get('config/20261122-100030-123') ?? '')).toEqual({
      version: '20261122-100030-123',
      time: '2026-11-22T10:00:30.123Z',
      who: 'ann',
      documents: half,
    });
  });

  test('invalid documents are not written', async () => {
    const { context, written, printed } = commandContext(half);
    const wrong = texts(configText([arm('a', 99)]));
    await expect(publish(configStore, wrong, yes, context)).rejects.toThrow('1 error.');
    expect(printed).toEqual(['error: config.json variants: weights do not add up to 100']);
    expect(written).toEqual([]);
  });

  test('only the first fifty errors are printed', async () => {
    const { context, printed } = commandContext();
    const wrong = texts(configText(), flowsText({ own: Array.from({ length: 99 }, (_, i) => i) }));
    await expect(publish(configStore, wrong, yes, context)).rejects.toThrow('99 errors');
    expect([printed.length, printed.at(-1)]).toEqual([51, 'and 49 more']);
  });

  test('a flow is written before the arm that uses it, and removed after it', () => {
    expect(writeOrder(half, withFlow)).toEqual(['flows.json', 'config.json']);
    expect(writeOrder(withFlow, half)).toEqual(['config.json', 'flows.json']);
  });

  test('a rollback can lead to the built-in documents', async () => {
    const { context } = commandContext();
    await publish(configStore, half, yes, context);
    await rollback(configStore, 'built-in', yes, context);
    expect(await liveTexts(context.kv)).toEqual(builtInDocuments);
  });

  test('a version that cannot be read is refused', async () => {
    const { context } = commandContext({ 'config/2': '{"documents":{}}', 'config/3': 'text' });
    for (const id of ['2', '3']) {
      const back = rollback(configStore, id, yes, context);
      await expect(back).rejects.toThrow(`Version ${id} cannot be read.`);
    }
  });

  test('an omitted document stays as it is live', async () => {
    const config = join(folder('publish-'), 'c');
    writeFileSync(config, more['config.json']);
    const live = { ...half, 'flows.json': flowsText({ own: screens }) };
    const { context, stored, printed } = commandContext(live);
    const next = await readCandidate({ config }, context);
    expect(printed).toEqual(['flows.json not given; using the live version.']);
    await diff(configStore, next, context);
    expect(printed).toContain('variant b: weight 50 → 60');
    await publish(configStore, next, yes, context);
    expect(stored.get('flows.json')).toBe(flowsText({ own: screens }));
  });

  test('documents that were written by hand are shown, even if they are invalid', async () => {
    const { context, printed } = commandContext({ 'config.json': '{"half' });
    await show(configStore, undefined, context);
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
    const refused = publish(contentStore, wrong, yes, context);
    await expect(refused).rejects.toThrow('1 error. Visitors would not get these documents.');
    expect(printed[0]).toContain(line);
    expect(written).toEqual([]);
  });

  test('a field that no page shows causes a warning, with the name that was probably meant', async () => {
    const review = { name: 'A', text: 'b', source: 'c', language: 'de' };
    const map = { review: [[]], reviews: [[review, { ...review, abuot: 'child', english: 'b' }]] };
    const warnings = (content: object) =>
      contentStore.problems({ 'content.json': JSON.stringify(content) });
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
    const { context, stored, printed } = commandContext();
    await publish(contentStore, german('AGB'), yes, context);
    await rollback(contentStore, 'built-in', yes, context);
    expect(JSON.parse(stored.get('content/manifest') ?? '')).toEqual({
      timestamp: at(1),
      files: [],
    });
    printed.length = 0;
    await history(contentStore, context);
    const line = (minute: number) => `${at(minute)}  ${new Date(at(minute)).toISOString()}  ann`;
    expect(printed).toEqual([`${line(1)}  built-in  (live)`, `${line(0)}  de`]);
    await rollback(contentStore, String(at(0)), yes, context);
    await rollback(contentStore, String(at(1)), yes, context);
    expect((await contentStore.live(context.kv)).documents).toEqual({});
  });

  test('the manifest lists the documents, and a missing key restores the built-in text', async () => {
    const { context, stored, printed } = commandContext();
    await publish(contentStore, german('AGB'), yes, context);
    const manifest = JSON.parse(stored.get('content/manifest') ?? '');
    expect(manifest).toEqual({ timestamp: at(0), files: ['de'] });
    await publish(contentStore, { 'de.json': '{}' }, yes, context);
    expect(printed).toContain('de.json screens.common.terms: "AGB" → built-in');
  });

  test('a timestamp is later than the live one, also when the clock was set back', async () => {
    const { context, stored, controls } = commandContext();
    controls.minute = 5;
    await publish(contentStore, german('Eins'), yes, context);
    controls.minute = 0;
    await publish(contentStore, german('Zwei'), yes, context);
    expect(JSON.parse(stored.get('content/manifest') ?? '').timestamp).toBe(at(5) + 1);
  });

  test('a folder written by `show` can be published', async () => {
    const from = folder('content-');
    writeFileSync(join(from, 'de.json'), german('AGB')['de.json']);
    const { context, printed } = commandContext();
    const send = async (path: string, to: Context) =>
      publish(contentStore, await readFolder(path), yes, to);
    await send(from, context);
    await show(contentStore, join(from, 'live'), context);
    await send(join(from, 'live'), context);
    expect(printed.at(-1)).toContain('already live');
    await expect(send(join(from, 'none'), context)).rejects.toThrow('There is no folder');
    await expect(send(folder('empty-'), context)).rejects.toThrow('contains no .json file');
  });
});

// Each call starts wrangler.
describe.runIf(process.env.FULL === '1')(
  'publishing through wrangler',
  { timeout: 240_000 },
  () => {
    const persistTo = folder('round-');
    const config = (...args: string[]) =>
      promisify(execFile)('node', ['scripts/config.ts', ...args, '--persist-to', persistTo]);

    test('the documents are stored in KV byte for byte', async () => {
      const pair = texts(`${configText([arm('intro/7d', 100)])}\n`, '{"flows": {}}\n\n');
      for (const [name, text] of Object.entries(pair)) writeFileSync(join(persistTo, name), text);
      const { stdout } = await config('publish', persistTo, '--yes');
      const [version] = /\d{8}-\d{6}-\d{3}/.exec(stdout) ?? [];
      expect(version).toBeDefined();
      expect(await liveTexts(wranglerKv({ remote: false, persistTo }))).toEqual(pair);
      const shown = await config('show');
      expect(shown.stdout).toContain(`Version ${version}, published`);
    });

    test('a refusal prints one sentence to the error output and exits with code 1', async () => {
      const refused = config('rollback', 'nothing', '--yes');
      await expect(refused).rejects.toMatchObject({
        code: 1,
        stderr: 'There is no version nothing; see history.\n',
      });
    });
  },
);
