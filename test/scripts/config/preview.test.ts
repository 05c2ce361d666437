import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printPreview } from '../../../scripts/config/preview.ts';
import { arm, commandContext, configText, texts } from './command-context.ts';

const base = 'https://funnel.example/any';
const live = texts(configText([arm('fullPrice', 50), arm('intro/7d', 50)]));

test('preview: KV keeps the 128-bit token of a link for a day', async () => {
  const { context, printed, stored, seconds, written } = commandContext(live);
  await printPreview('intro/7d', { base, country: 'DE', lng: 'pt-BR', theme: 'found' }, context);
  const [key = ''] = written;
  expect(key).toMatch(/^preview\/[\w-]{22}$/);
  expect(printed[0]).toBe(`https://funnel.example/?preview=${key.slice(8)}`);
  expect(seconds.get(key)).toBe(86_400);
  expect(JSON.parse(stored.get(key) ?? '')).toEqual({
    arm: 'intro/7d',
    country: 'DE',
    lng: 'pt-BR',
    theme: 'found',
  });
});

test('preview: omitted options are left out, and each link is different', async () => {
  const { context, stored, written } = commandContext(live);
  await printPreview('fullPrice', { base }, context);
  await printPreview('fullPrice', { base }, context);
  expect(new Set(written).size).toBe(2);
  expect(stored.get(written[0] ?? '')).toBe('{"arm":"fullPrice"}');
});

test.for<[string, object, string]>([
  ['intro', {}, 'Unknown arm intro. Arms: fullPrice, intro/7d.'],
  ['fullPrice', { country: 'Germany' }, 'not a country code'],
  ['fullPrice', { lng: 'German' }, 'not a language code'],
  ['fullPrice', { theme: 'toString' }, 'Unknown theme toString. Themes: geozilla'],
  ['fullPrice', { base: 'funnel' }, 'funnel is not a URL.'],
])('preview: arm %s with %j is refused', async ([name, change, reason]) => {
  const { context, written } = commandContext(live);
  await expect(printPreview(name, { base, ...change }, context)).rejects.toThrow(reason);
  expect(written).toEqual([]);
});

test('preview: documents of a folder are shown before they are published', async () => {
  const { context, stored, written } = commandContext(live);
  const folder = mkdtempSync(join(tmpdir(), 'draft-'));
  writeFileSync(join(folder, 'config.json'), configText([arm('drafted', 100)]));
  await printPreview('drafted', { base, folder }, context);
  const saved = JSON.parse(stored.get(written[0] ?? '') ?? '');
  expect(saved.arm).toBe('drafted');
  expect(saved.documents['config.json']).toBe(configText([arm('drafted', 100)]));
  expect(stored.get('config.json')).toBe(live['config.json']);
  await expect(printPreview('intro/7d', { base, folder }, context)).rejects.toThrow(
    'Arms: drafted',
  );
});
