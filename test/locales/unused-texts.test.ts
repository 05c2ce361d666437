import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import errors from '../../locales/en/errors.json' with { type: 'json' };
import { statuses } from '../../worker/platform/errors.ts';
import { plural, textsOf } from './flat-texts.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const sources = globSync('{worker,screens,islands}/**/*.{ts,tsx}');
const bare = (keys: Iterable<string>) => new Set([...keys].map((key) => key.replace(plural, '')));
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A pattern for a key in code: `landing.${variant}.title` matches any name in its gap. */
const patternOf = (written: string) =>
  new RegExp(
    `^${written
      .split(/\$\{[^}]*\}/)
      .map(literal)
      .join('[\\w-]+')}$`,
  );

/** Keys used by `t('…')`, in any file. */
const usedKeys = sources.flatMap((file) =>
  [
    ...read(file).matchAll(/\bt\(\s*(?:[^'"`()]*\?\s*)?(['`])(.+?)\1(?:\s*:\s*(['`])(.+?)\3)?/g),
  ].flatMap(([, , one, , two]) => [one, two].filter((key) => key !== undefined).map(patternOf)),
);

test.each(['screens.json', 'mails.json'])('locales: every text of %s is used', (file) => {
  const unused = [...bare(textsOf('en', file).keys())].filter(
    (key) => !usedKeys.some((pattern) => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});

/** An island's own code and everything that it imports, types included. */
function codeOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = read(file);
  const more = [...text.matchAll(/from '(\.[^']+\.tsx?)'/g)].map(([, path = '']) =>
    codeOf(join(dirname(file), path), seen),
  );
  return [text, ...more].join('\n');
}

test('locales: every island text is used by its island', () => {
  const code = new Map<string, string>();
  const unused = [...bare(textsOf('en', 'islands.json').keys())].filter((path) => {
    const [island = '', key = ''] = path.split('.');
    const text = code.get(island) ?? codeOf(`islands/${island}.tsx`);
    code.set(island, text);
    const written = [...text.matchAll(/\[`([^`]+)`\]/g)].map(([, name = '']) => patternOf(name));
    const named = new RegExp(`\\.${key}\\b|'${key}'|\\b${key}[:?,]`).test(text);
    return !named && !written.some((pattern) => pattern.test(key));
  });
  expect(unused).toEqual([]);
});

test('locales: error codes and sentences match', () => {
  expect(Object.keys(errors).sort()).toEqual(Object.keys(statuses).sort());
});
