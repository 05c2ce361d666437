import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Documents } from '../../../../worker/documents/document-set.ts';
import {
  changesBetween,
  type DocumentChange,
  withChanges,
  withForced,
} from '../../../../worker/documents/rules/document-changes.ts';

const file = (value: unknown): Documents => ({ 'config.json': JSON.stringify(value) });
const contentOf = (documents: Documents) =>
  Object.fromEntries(
    Object.entries(documents).map(([name, text]) => [name, JSON.parse(text ?? 'null')]),
  );
const merge = (base: unknown, next: unknown, live: unknown) => {
  const result = withChanges(file(live), changesBetween(file(base), file(next)));
  return result.kind === 'merged' ? contentOf(result.documents)['config.json'] : result.paths;
};

const arm = (key: string, weight: number, flow = 'default') => ({ key, weight, flow });
const half = { experiment: 'e', variants: [arm('a', 50), arm('b', 50)], coupons: {} };

test.each<[string, unknown, unknown, unknown, unknown]>([
  [
    'different fields merge',
    half,
    { ...half, experiment: 'f' },
    { ...half, coupons: { X: 1 } },
    { ...half, experiment: 'f', coupons: { X: 1 } },
  ],
  [
    'fields of different elements of a keyed list merge',
    half,
    { ...half, variants: [arm('a', 50, 'lp'), arm('b', 50)] },
    { ...half, variants: [arm('a', 60), arm('b', 40)] },
    { ...half, variants: [arm('a', 60, 'lp'), arm('b', 40)] },
  ],
  [
    'an added element stays beside another added one',
    half,
    { ...half, variants: [...half.variants, arm('c', 0)] },
    { ...half, variants: [...half.variants, arm('d', 0)] },
    { ...half, variants: [...half.variants, arm('d', 0), arm('c', 0)] },
  ],
  ['a removed field', { a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2, c: 3 }, { a: 1, c: 3 }],
  ['the same change twice', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }],
  ['the same removal twice', { a: 1, b: 1 }, { b: 1 }, { b: 1 }, { b: 1 }],
  ['two values of one field', { a: 1 }, { a: 2 }, { a: 3 }, ['config.json a']],
  ['a change of a removed field', { a: { b: 1 } }, { a: { b: 2 } }, {}, ['config.json a b']],
  ['a removal of a changed object', { a: { b: 1 } }, {}, { a: { b: 2 } }, ['config.json a']],
  ['two additions of one field', {}, { a: 1 }, { a: 2 }, ['config.json a']],
  ['a list is one value', { a: [1, 2] }, { a: [1, 2, 3] }, { a: [2] }, ['config.json a']],
  [
    'a new order is one value',
    half,
    { ...half, variants: half.variants.toReversed() },
    { ...half, variants: [arm('a', 60), arm('b', 40)] },
    ['config.json variants'],
  ],
])('document changes: %s', (_, base, next, live, expected) => {
  expect(merge(base, next, live)).toEqual(expected);
});

test('document changes: files are added and removed, and a text that is no JSON is one value', () => {
  const base = { 'de.json': '{"a":"A"}', 'fr.json': '{}' };
  const next = { 'de.json': 'broken', 'es.json': '{"b":"B"}', 'fr.json': null };
  const changes = changesBetween(base, next);
  expect(withChanges(base, changes)).toEqual({
    kind: 'merged',
    documents: { 'de.json': 'broken', 'es.json': '{\n  "b": "B"\n}' },
  });
  expect(withChanges({ ...base, 'de.json': '{"a":"Ä"}' }, changes)).toEqual({
    kind: 'conflict',
    paths: ['de.json'],
  });
});

test('document changes: an untouched file keeps its white space', () => {
  const live = { 'a.json': '{ "x": 1 }', 'b.json': '{ "y": 1 }' };
  const result = withChanges(
    live,
    changesBetween({ 'b.json': '{"y":1}' }, { 'b.json': '{"y":2}' }),
  );
  expect(result).toMatchObject({ documents: { 'a.json': '{ "x": 1 }' } });
});

const name = fc.constantFrom('a', 'b', 'c', 'key', '__proto__', 'constructor');
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(1, 2, 'x', null, true),
    fc.dictionary(name, tie('node'), { maxKeys: 3 }),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.uniqueArray(fc.record({ key: fc.constantFrom('p', 'q', 'r'), w: tie('node') }), {
      selector: ({ key }) => key,
      maxLength: 3,
    }),
  ),
})).node;
const documents = fc.dictionary(
  fc.constantFrom('f.json', 'g.json'),
  value.map((v) => JSON.stringify(v)),
);

const stored = (changes: DocumentChange[]) => JSON.parse(JSON.stringify(changes));

test('document changes: they turn the old version into the new one, once stored and however often', () => {
  fc.assert(
    fc.property(documents, documents, (base, next) => {
      const changes = stored(changesBetween(base, next));
      const once = withChanges(base, changes);
      if (once.kind !== 'merged') throw new Error(once.paths.join());
      expect(contentOf(once.documents)).toEqual(contentOf(next));
      expect(withChanges(once.documents, changes)).toMatchObject({ kind: 'merged' });
    }),
  );
});

test('document changes: a merge contains both changes, or says which fields conflict', () => {
  fc.assert(
    fc.property(documents, documents, documents, (base, mine, theirs) => {
      const [ours, other] = [changesBetween(base, mine), changesBetween(base, theirs)];
      const merged = withChanges(theirs, ours);
      if (merged.kind === 'conflict') {
        expect(merged.paths.length).toBeGreaterThan(0);
        return;
      }
      for (const changes of [ours, other]) {
        expect(withChanges(merged.documents, changes)).toMatchObject({ kind: 'merged' });
        expect(contentOf(merged.documents)).toEqual(
          contentOf((withChanges(merged.documents, changes) as { documents: Documents }).documents),
        );
      }
    }),
  );
});

test.each<[string, unknown, unknown, unknown, unknown]>([
  ['a field that differs there', { a: 1 }, { a: 2 }, { a: 3, b: 1 }, { a: 2, b: 1 }],
  ['an object that is missing there', { a: { b: 1 } }, { a: { b: 2 } }, { c: 1 }, { c: 1 }],
  ['a removal', { a: 1, b: 1 }, { b: 1 }, { a: 2 }, {}],
  [
    'an element that is there already',
    { variants: [arm('a', 100)] },
    { variants: [arm('a', 50), arm('b', 50)] },
    { variants: [arm('b', 70, 'lp'), arm('a', 30)] },
    { variants: [arm('b', 50), arm('a', 50)] },
  ],
])('document changes: forced, %s', (_name, base, next, other, expected) => {
  const changes = changesBetween(file(base), file(next));
  expect(contentOf(withForced(file(other), changes))['config.json']).toEqual(expected);
});

test('document changes: forced, a text of a file that is missing there', () => {
  const changes = changesBetween({ 'de.json': '{"a":"A"}' }, { 'de.json': '{"a":"B"}' });
  expect(contentOf(withForced({ 'fr.json': '{}' }, changes))).toEqual({
    'fr.json': {},
    'de.json': { a: 'B' },
  });
});
