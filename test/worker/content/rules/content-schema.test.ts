import { expect, test } from 'vitest';
import {
  claimsAndReviews,
  InvalidContent,
  readFlat,
  readManifest,
  readMap,
} from '../../../../worker/content/rules/content-schema.ts';

const now = Date.parse('2026-12-01T00:00Z');
const review = { name: 'Ann', text: 'We know.', source: 'App Store', language: 'en' };
const claim = { text: 'Over 9 users', source: 'https://example.com', language: 'de' };

test('content: a manifest has a timestamp and file names', () => {
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
])('content: %j is not a manifest', (text) => {
  expect(() => readManifest(text, now)).toThrow(InvalidContent);
});

test('content: the first element of each key counts', () => {
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
])('content: %j is not a content map', (map) => {
  expect(() => readMap(JSON.stringify(map))).toThrow(InvalidContent);
});

test.each(['{"a":1}', '{"a":{"b":"c"}}', '["a"]', '"a"', '{"a":"b"', 'x'.repeat(2 ** 20 + 1)])(
  'content: a file that is not a map of texts is refused',
  (text) => {
    expect(() => readFlat(text)).toThrow(InvalidContent);
  },
);

test('content: a file has its texts by key', () => {
  expect(readFlat('{"screens.a":"b"}')).toEqual({ 'screens.a': 'b' });
});

const times = <One>(count: number, one: One) => Array(count).fill(one);

test.each([
  ['reviews', review, 12],
  ['claims', claim, 10],
])('content: the number of %s is limited per language', (key, one, most) => {
  const texts = (count: number) =>
    JSON.stringify({ [key]: [[...times(count, one), ...times(most, { ...one, language: 'tr' })]] });
  expect(() => readMap(texts(most))).not.toThrow();
  expect(() => readMap(texts(most + 1))).toThrow(InvalidContent);
});

const source = 'App Store';

test('content: a page has the claims and reviews of its language', () => {
  const map = {
    claims: [{ text: 'Viele', source, language: 'de' }],
    reviews: [
      { name: 'Ann', text: 'Good.', source, language: 'en' },
      { name: 'Uwe', text: 'Gut.', source, language: 'de', img: '/uwe.avif' },
    ],
  };
  expect(claimsAndReviews(map, 'de')).toEqual({
    claims: [{ text: 'Viele', source }],
    reviews: [{ name: 'Uwe', text: 'Gut.', source, img: '/uwe.avif' }],
  });
  expect(claimsAndReviews(map, 'en').reviews.map(({ name }) => name)).toEqual(['Ann']);
  expect(claimsAndReviews(undefined, 'de')).toEqual({ claims: [], reviews: [] });
});
