import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { carried } from '../../../scripts/build/licences.ts';
import needsBuild from '../../needs-build.ts';

needsBuild();

/** Licences that require only their own text. */
const free = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'OFL-1.1',
  // Public domain.
  'Unlicense',
  '(MIT OR Apache-2.0)',
];

test('licences: the build contains only freely redistributable packages', () => {
  const restricted = carried().filter(({ licence }) => !free.includes(licence));
  expect(restricted.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
});

test('licences: the build serves the licence of each package', () => {
  const published = readFileSync('dist/client/licences.txt', 'utf8');
  const all = carried();
  expect(all.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['react-dom', 'hono', 'world-atlas', '@fontsource-variable/inter']),
  );
  for (const { name, version, words } of all) {
    expect(published).toContain(`${name} ${version}: `);
    expect(published).toContain(words);
  }
});
