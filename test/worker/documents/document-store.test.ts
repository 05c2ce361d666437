import { expect, test } from 'vitest';
import { contentSet } from '../../../worker/content/content-set.ts';
import type { DocumentSet, Documents } from '../../../worker/documents/document-set.ts';
import {
  liveVersion,
  newPublication,
  publishVersion,
  readVersion,
  readVersions,
  StoppedPublication,
} from '../../../worker/documents/document-store.ts';
import type { Kv } from '../../../worker/documents/kv.ts';
import { readLive } from '../../../worker/documents/live-documents.ts';
import { configSet } from '../../../worker/experiments/config-set.ts';
import { catalogIn } from '../../../worker/experiments/live-catalog.ts';
import { arm, commandContext, configText, texts } from '../../scripts/config/command-context.ts';
import { withSecondMonthly } from '../../second-version.ts';

const publishedContent = contentSet(() => ({ screens: { common: { terms: 'Terms' } } }));
const half = texts(configText([arm('a', 50), arm('b', 50)]));
const more = texts(
  configText([arm('a', 40), arm('b', 60)]),
  '{"flows":{},"aliases":{"x":"signup"}}',
);
const german = (text: string) => ({ 'de.json': JSON.stringify({ 'screens.common.terms': text }) });

const documentsLive = async (kv: Kv, set: DocumentSet) => (await readLive(kv, set)).documents;

async function publish(kv: Kv, set: DocumentSet, next: Documents, who = 'ann', minute = 0) {
  const now = new Date(Date.UTC(2026, 10, 22, 10, minute));
  const publication = newPublication(set, next, await readLive(kv, set), { who, now });
  await publishVersion(kv, publication);
  return publication.release.version;
}

test('document store: documents written by hand win, complete what is published, and get a version when they are replaced', async () => {
  const { context, stored } = commandContext();
  const { kv } = context;
  await publish(kv, configSet, half);
  await kv.put('config.json', more['config.json']);
  const both = { ...half, 'config.json': more['config.json'] };
  expect(await documentsLive(kv, configSet)).toEqual(both);
  await publish(kv, configSet, more, 'bob', 1);
  expect(await documentsLive(kv, configSet)).toEqual(more);
  const [bob, byHand, ann] = await readVersions(kv, configSet);
  expect([bob?.who, byHand?.who, ann?.who]).toEqual(['bob', 'written by hand', 'ann']);
  expect(await readVersion(kv, configSet, byHand?.id ?? '')).toEqual(both);
  // They can be read where they were written.
  expect(stored.get('config.json')).toBe(more['config.json']);
});

test('document store: a text that a person writes again wins over the publication that replaced it', async () => {
  const { kv } = commandContext(half).context;
  await publish(kv, configSet, more);
  expect(await documentsLive(kv, configSet)).toEqual(more);
  for (const [key, text] of Object.entries(half)) await kv.put(key, text);
  expect(await documentsLive(kv, configSet)).toEqual(half);
});

test.each<[string, DocumentSet, Record<string, string>, Documents, Documents]>([
  ['config', configSet, half, half, more],
  [
    'content',
    publishedContent,
    {
      'content/5/de': german('Eins')['de.json'],
      'content/manifest': '{"timestamp":5,"files":["de"]}',
    },
    german('Eins'),
    german('Zwei'),
  ],
])(
  'document store: whichever write of %s fails, visitors get all documents written by hand or all published ones',
  async (_, set, written, before, next) => {
    for (let failing = 0; ; failing += 1) {
      const { context, written: keys } = commandContext(written);
      const { kv } = context;
      const put: Kv['put'] = async (...args) => {
        if (keys.length === failing) throw new Error('quota');
        await kv.put(...args);
      };
      const failed = await publish({ ...kv, put }, set, next).then(
        () => false,
        () => true,
      );
      expect(await documentsLive(kv, set)).toEqual(failed ? before : next);
      if (!failed) break;
      await publish(kv, set, next, 'ann', 1);
      expect(await documentsLive(kv, set)).toEqual(next);
    }
  },
);

const priced = (USD: number) => ({
  ...half,
  'catalog.json': JSON.stringify(withSecondMonthly({ prices: { USD, EUR: USD } })),
});

test('document store: a version of a publication that stopped is never sold, its number is free, and it goes live only if nothing took it', async () => {
  for (let failing = 0; ; failing += 1) {
    const { context, written: keys } = commandContext();
    const { kv } = context;
    await publish(kv, configSet, half);
    const first = keys.length;
    const put: Kv['put'] = async (...args) => {
      if (keys.length - first === failing) throw new Error('quota');
      await kv.put(...args);
    };
    const stopped = await publish({ ...kv, put }, configSet, priced(49), 'cid', 1).catch(
      (error) => error,
    );
    if (typeof stopped === 'string') break;
    expect(stopped).toBeInstanceOf(StoppedPublication);
    const live = await documentsLive(kv, configSet);
    expect(catalogIn(live).planById('monthly@2_usd')).toBeUndefined();
    const orphan = (await readVersions(kv, configSet)).find(({ who }) => who === 'cid');
    const restored = async (over: Documents) =>
      configSet.restored(await readVersion(kv, configSet, orphan?.id ?? 'built-in'), over);
    expect(configSet.problems(await restored(live), live).errors).toEqual([]);
    await publish(kv, configSet, priced(45), 'bob', 2);
    const other = await documentsLive(kv, configSet);
    expect(catalogIn(other).planById('monthly@2_usd')?.price).toBe(4500);
    const late = orphan ? ['monthly.versions.2: was sold so; add a version'] : [];
    expect(configSet.problems(await restored(other), other).errors).toEqual(
      late.map((line) => expect.stringContaining(line)),
    );
  }
});

test('document store: of two publishers the second is refused and told who was first, and other documents stay', async () => {
  const { kv } = commandContext().context;
  await publish(kv, configSet, half);
  const seen = await readLive(kv, configSet);
  const by = { who: 'cid', now: new Date(Date.UTC(2026, 10, 22, 11)) };
  await publish(kv, publishedContent, german('Eins'), 'bob', 1);
  await publishVersion(kv, newPublication(configSet, more, seen, by));
  expect(await documentsLive(kv, publishedContent)).toEqual(german('Eins'));
  await expect(publishVersion(kv, newPublication(configSet, half, seen, by))).rejects.toThrow(
    'cid published version 20261122-110000-000 at 2026-11-22T11:00:00.000Z, after you started. Nothing was published.',
  );
  expect(await documentsLive(kv, configSet)).toEqual(more);
});

test('document store: versions from before there was a manifest are listed, live and can be published again', async () => {
  const earlier = { version: '20261101-090000-000', time: '2026-11-01T09:00:00.000Z', who: 'eve' };
  const { context } = commandContext({
    'content/5/de': german('Eins')['de.json'],
    'content/6/de': german('Zwei')['de.json'],
    'content/manifest': '{"timestamp":6,"files":["de"]}',
    ...half,
  });
  const { kv } = context;
  const { fingerprint } = await readLive(kv, configSet);
  const metadata = { time: earlier.time, who: earlier.who, fingerprint };
  const text = JSON.stringify({ ...earlier, documents: half });
  await kv.put(`config/${earlier.version}`, text, { metadata });
  const liveIn = async (set: DocumentSet) =>
    liveVersion(await readVersions(kv, set), await readLive(kv, set))?.id;
  expect([await liveIn(configSet), await liveIn(publishedContent)]).toEqual([earlier.version, '6']);

  await publish(kv, configSet, more);
  expect((await readVersions(kv, configSet)).map(({ who }) => who)).toEqual(['ann', 'eve']);
  await publish(kv, configSet, await readVersion(kv, configSet, earlier.version), 'bob', 1);
  expect(await documentsLive(kv, configSet)).toEqual(half);

  await publish(kv, publishedContent, await readVersion(kv, publishedContent, '5'), 'bob', 2);
  expect(await documentsLive(kv, publishedContent)).toEqual(german('Eins'));
  const listed = (await readVersions(kv, publishedContent)).map(({ id }) => id);
  expect(listed).toEqual(['20261122-100200-000', '6', '5']);
});
