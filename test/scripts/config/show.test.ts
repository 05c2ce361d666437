import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishTexts } from '../../../scripts/config/publish.ts';
import { show } from '../../../scripts/config/show.ts';
import { texts, world } from './world.ts';

test('both documents are shown as people read them, with their version', async () => {
  const { context, said } = world();
  await publishTexts(texts(), { yes: true }, context);
  said.length = 0;
  await show(undefined, context);
  expect(said[0]).toBe('version 20261122-100030-123, published 2026-11-22T10:00:30.123Z by ann');
  expect(said).toContain(JSON.stringify(JSON.parse(texts()['config.json']), null, 2));
});

test('what somebody wrote by hand is shown too, whatever it is', async () => {
  const { context, said } = world({ 'config.json': '{"half' });
  await show(undefined, context);
  expect(said).toEqual([
    'version: none, this pair was not written by publish',
    'This pair is not valid: visitors have an earlier one.',
    '\nconfig.json',
    '{"half',
    '\nflows.json',
    'missing',
  ]);
});

test('they are written into a folder, but never over a file', async () => {
  const { context } = world(texts());
  const folder = join(mkdtempSync(join(tmpdir(), 'show-')), 'new');
  await show(folder, context);
  const file = join(folder, 'config.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(texts()['config.json']));
  await expect(show(folder, context)).rejects.toThrow(`${file} can not be written`);
});
