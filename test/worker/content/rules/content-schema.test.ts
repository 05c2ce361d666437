import { expect, test } from 'vitest';
import {
  InvalidContent,
  readFlat,
  readManifest,
  readMap,
} from '../../../../worker/content/rules/content-schema.ts';

const now = Date.parse('2026-12-01T00:00Z');
const review = { name: 'Ann', text: 'We know.', source: 'App Store', language: 'en' };
const claim = { text: 'Over 9 users', source: 'https://example.com', language: 'de' };

test('a manifest tells when, and of what', () => {
  const text = JSON.stringify({ timestamp: now, files: ['de'], more: 1 });
  expect(readManifest(text, now)).toEqual({ timestamp: now, files: ['de'] });
  expect(readManifest(`{"timestamp":${now}}`, now).files).toBeUndefined();
});

test.each([
  '',
  '{"timestamp":17',
  '{}',
  '[]',
  'null',
  '{"timestamp":"1764547200000"}',
  '{"timestamp":0}',
  '{"timestamp":-5}',
  '{"timestamp":1.5}',
  `{"timestamp":${now + 2 * 86_400_000}}`,
  '{"timestamp":1,"files":"de"}',
])('%j is no manifest', (text) => {
  expect(() => readManifest(text, now)).toThrow(InvalidContent);
});

test('of each key the first element counts', () => {
  const map = { claims: [[claim], 'old'], reviews: [[review]], other: ['x'] };
  expect(readMap(JSON.stringify(map))).toEqual({ claims: [claim], reviews: [review] });
  expect(readMap('{}')).toEqual({ claims: [], reviews: [] });
});

test.each([
  [{ reviews: [[{ ...review, source: ' ' }]] }],
  [{ reviews: [[{ name: 'A', text: 'b', language: 'en' }]] }],
  [{ reviews: [[{ ...review, img: 'https://elsewhere.example/a.png' }]] }],
  [{ reviews: [[{ ...review, img: '//elsewhere.example/a.png' }]] }],
  [{ claims: [[{ ...claim, language: '<b>' }]] }],
  [{ claims: [claim] }],
  [{ claims: [] }],
  [{ claims: 'ten million' }],
])('%j is no content map', (map) => {
  expect(() => readMap(JSON.stringify(map))).toThrow(InvalidContent);
});

test.each(['{"a":1}', '{"a":{"b":"c"}}', '["a"]', '"a"', '{"a":"b"', 'x'.repeat(2 ** 20 + 1)])(
  'a file that is no map of texts does not count',
  (text) => {
    expect(() => readFlat(text)).toThrow(InvalidContent);
  },
);

test('a file is its texts by key', () => {
  expect(readFlat('{"screens.a":"b"}')).toEqual({ 'screens.a': 'b' });
});

const times = <One>(count: number, one: One) => Array(count).fill(one);

test.each([
  ['reviews', review, 12],
  ['claims', claim, 10],
])('a language has so many %s at most, whatever other languages have', (key, one, most) => {
  const texts = (count: number) =>
    JSON.stringify({ [key]: [[...times(count, one), ...times(most, { ...one, language: 'tr' })]] });
  expect(() => readMap(texts(most))).not.toThrow();
  expect(() => readMap(texts(most + 1))).toThrow(InvalidContent);
});
