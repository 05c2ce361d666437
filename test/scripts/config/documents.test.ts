import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSource } from '../../../scripts/config/documents.ts';

/** A folder with these files. */
function folder(files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'source-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

const both = { 'config.json': '{"a": 1}\n', 'flows.json': '{"b":2}' };

test('documents: a folder yields the languages of its files', async () => {
  expect(await readSource({ file: folder(both) })).toEqual(both);
});

test('documents: two files are accepted, or one of them', async () => {
  const at = folder(both);
  const config = join(at, 'config.json');
  expect(await readSource({ config, flows: join(at, 'flows.json') })).toEqual(both);
  expect(await readSource({ config })).toEqual({ 'config.json': both['config.json'] });
});

test('documents: one file with both is accepted, as JSON or as text', async () => {
  const file = join(
    folder({ 'pair.json': '{"config.json":{"a":1},"flows.json":"{"}' }),
    'pair.json',
  );
  expect(await readSource({ file })).toEqual({
    'config.json': '{\n  "a": 1\n}',
    'flows.json': '{',
  });
});

test.for<[string, Record<string, string>, string, string]>([
  ['a file that is not there', {}, 'gone.json', 'There is no file or folder'],
  ['an empty folder', {}, '', 'contains none of config.json, flows.json'],
  ['a file that is not JSON', { a: '{' }, 'a', 'is not JSON'],
  ['one document alone', { a: '{"experiment":"e"}' }, 'a', "contains 'experiment'"],
  ['JSON null', { a: 'null' }, 'a', 'contains none of'],
])('documents: %s is refused', async ([, files, name, reason]) => {
  await expect(readSource({ file: join(folder(files), name) })).rejects.toThrow(reason);
});

test('documents: a call without any document is refused', async () => {
  await expect(readSource({})).rejects.toThrow('Name a folder or a file.');
});
