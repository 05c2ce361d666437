import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { history } from '../../../scripts/content/history.ts';
import { publish, publishDocuments } from '../../../scripts/content/publish.ts';
import { rollback } from '../../../scripts/content/rollback.ts';
import { show } from '../../../scripts/content/show.ts';
import { world } from '../config/world.ts';

const at = (minute: number) => Date.UTC(2026, 10, 22, 10, minute, 30, 123);
const german = (text: string) => ({ de: JSON.stringify({ 'screens.common.terms': text }) });
const yes = { yes: true };

test('publishing writes the documents, then the manifest that names them', async () => {
  const { context, stored, written, said, asked } = world();
  await publishDocuments(german('AGB'), { yes: false }, context);
  expect(asked).toEqual(['Publish this on this machine?']);
  expect(written).toEqual([`content/${at(0)}/de`, 'content/manifest']);
  expect(JSON.parse(stored.get('content/manifest') ?? '')).toEqual({
    timestamp: at(0),
    files: ['de'],
  });
  expect(said).toContain('de screens.common.terms: "AGB"');
});

test('a no writes nothing, and what is live already is not written again', async () => {
  const { context, written, said, set } = world();
  set.answer = false;
  const refused = publishDocuments(german('AGB'), { yes: false }, context);
  await expect(refused).rejects.toThrow('Nothing was written.');
  expect(written).toEqual([]);
  await publishDocuments(german('AGB'), yes, context);
  await publishDocuments(german('AGB'), yes, context);
  expect([written.length, said.at(-1)]).toEqual([2, 'This is live already; nothing was written.']);
});

test.each([
  ['de', '{"screens.common.terms":"<b>AGB</b>"}', 'screens.common.terms: other placeholders'],
  ['de', '{"screens.common.nothing":"AGB"}', 'screens.common.nothing: no such key'],
  ['de', '{"islands.consent-banner.text":"Ja?"}', 'consent-banner.text: consent texts change'],
  ['de', '{"screens.common', 'de.json: not JSON'],
  ['tlh', '{}', 'tlh.json we do not speak this language'],
  ['content', '{"reviews":[[{"name":"A","text":"b","language":"de"}]]}', 'content.json: reviews'],
])('an error in %s is said, and nothing is written', async (name, text, line) => {
  const { context, written, said } = world();
  const refused = publishDocuments({ ...german('AGB'), [name]: text }, yes, context);
  await expect(refused).rejects.toThrow('1 errors; nothing was written.');
  expect(said[0]).toContain(line);
  expect(written).toEqual([]);
});

test('an earlier version is published again, as a new one', async () => {
  const { context, stored, said } = world();
  await publishDocuments(german('Eins'), yes, context);
  await publishDocuments(german('Zwei'), yes, context);
  await rollback(String(at(0)), yes, context);
  const { timestamp } = JSON.parse(stored.get('content/manifest') ?? '');
  expect(timestamp).toBeGreaterThan(at(1));
  expect(stored.get(`content/${timestamp}/de`)).toContain('Eins');
  said.length = 0;
  await history(context);
  expect(said.map((line) => line.includes('(live)'))).toEqual([true, false, false]);
  await expect(rollback('7', yes, context)).rejects.toThrow('There is no version 7');
});

test('a folder is what it holds; what is shown can be published', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'content-'));
  writeFileSync(join(folder, 'de.json'), german('AGB').de);
  const { context, said } = world();
  await publish(folder, yes, context);
  await show(join(folder, 'live'), context);
  said.length = 0;
  await publish(join(folder, 'live'), yes, context);
  expect(said.at(-1)).toContain('live already');
  await expect(publish(join(folder, 'none'), yes, context)).rejects.toThrow('no folder');
});
