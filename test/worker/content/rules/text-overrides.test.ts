import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  placeholdersMatch,
  placeholdersOf,
  statesOneNumber,
} from '../../../../locales/format/placeholders.ts';
import {
  claimsAndReviews,
  InvalidContent,
  readContentManifest,
  readFlat,
  readMap,
} from '../../../../worker/content/rules/content-schema.ts';
import { applyOverrides, mergeTexts } from '../../../../worker/content/rules/text-overrides.ts';

test('text placeholders: variables, links and tags are found once each', () => {
  expect(placeholdersOf('{{b}} [our terms](terms) {{ a }} <b>x</b> {{b}}')).toEqual([
    '</b>',
    '<b>',
    '[](terms)',
    '{{a}}',
    '{{b}}',
  ]);
});

test.each([
  ['days_one', 'de', true],
  ['days_one', 'fr', true],
  ['days_one', 'ru', false],
  ['days_one', 'pl', true],
  ['days_two', 'ar', true],
  ['days_few', 'ru', false],
  ['days_other', 'ja', false],
  ['days', 'de', false],
])('text placeholders: the plural form %s in %s covers one number: %s', (key, language, only) =>
  expect(statesOneNumber(key, language)).toBe(only),
);
test.each([
  ['{{price}} a month', true],
  ['{{ price }} im Monat', true],
  ['a month', false],
  ['{{preis}} im Monat', false],
  ['{{price}} <b>now</b>', false],
  ['{{price}} [terms](terms)', false],
  ['{{price}} {{-price}}', false],
  ['{{price}} }}', false],
  ['{{price}} $t(common.terms)', false],
  ['{{price}} [terms](javascript:alert(1))', false],
  ['{{price}} [$t(common.terms)](terms)', false],
  ['{{price}} [see above]', true],
])('text placeholders: %j may replace a text with {{price}}: %s', (text, fits) =>
  expect(placeholdersMatch(text, '{{price}}', 'plan', 'en')).toBe(fits),
);
test('text placeholders: a plural form of one number may spell it out', () => {
  expect(placeholdersMatch('einen Tag', '{{count}} Tage', 'days_one', 'de')).toBe(true);
  expect(placeholdersMatch('день', '{{count}} дней', 'days_one', 'ru')).toBe(false);
});

const times = <One>(count: number, one: One) => Array(count).fill(one);
const now = Date.parse('2026-12-01T00:00Z');
const review = { name: 'Ann', text: 'We know.', source: 'App Store', language: 'en' };
const claim = { text: 'Over 9 users', source: 'https://example.com', language: 'de' };
test('content: a manifest has a timestamp and file names', () => {
  const text = JSON.stringify({ timestamp: now, files: ['de'], more: 1 });
  expect(readContentManifest(text, now)).toEqual({ timestamp: now, files: ['de'] });
  expect(readContentManifest(`{"timestamp":${now}}`, now).files).toBeUndefined();
});

test('content: a manifest lists at most 200 files', () => {
  const of = (count: number) => JSON.stringify({ timestamp: now, files: times(count, 'de') });
  expect(readContentManifest(of(200), now).files).toHaveLength(200);
  expect(() => readContentManifest(of(201), now)).toThrow(InvalidContent);
});

test('content: the time of a manifest is from 1 ms after 1970 to one day ahead of our clock', () => {
  const timestampOf = (timestamp: number) =>
    readContentManifest(JSON.stringify({ timestamp }), now).timestamp;
  const latest = now + 24 * 60 * 60_000;
  expect(timestampOf(1)).toBe(1);
  expect(timestampOf(latest)).toBe(latest);
  expect(() => timestampOf(latest + 1)).toThrow('in the future');
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
  '{"timestamp":1,"files":"de"}',
])('content: %j is not a manifest', (text) => {
  expect(() => readContentManifest(text, now)).toThrow(InvalidContent);
});

test('content: for a repeated key the first element is used', () => {
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

const fileOf = (length: number) => JSON.stringify({ a: 'x'.repeat(length - '{"a":""}'.length) });

test.each(['{"a":1}', '{"a":{"b":"c"}}', '["a"]', '"a"', '{"a":"b"', fileOf(2 ** 20 + 1)])(
  'content: a file that is not a map of texts is refused',
  (text) => {
    expect(() => readFlat(text)).toThrow(InvalidContent);
  },
);
test('content: a file has its texts by key', () => {
  expect(readFlat('{"screens.a":"b"}')).toEqual({ 'screens.a': 'b' });
  expect(readFlat(fileOf(2 ** 20)).a).toMatch(/^x+$/);
});

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
test.each([
  ['claims', 'text', claim, 120],
  ['claims', 'source', claim, 160],
  ['reviews', 'name', review, 60],
  ['reviews', 'text', review, 400],
])(
  'content: a text file with %s and a %s within its limit is accepted',
  (kind, field, entry, limit) => {
    const of = (length: number) =>
      JSON.stringify({ [kind]: [[{ ...entry, [field]: 'x'.repeat(length) }]] });
    expect(readMap(of(limit))).toHaveProperty([kind, 0, field, 'length'], limit);
    expect(() => readMap(of(limit + 1))).toThrow(InvalidContent);
  },
);

test.each([
  ['claims', claim, 200],
  ['reviews', review, 500],
])('content: all languages together have a limit on %s', (kind, entry, limit) => {
  // A separate language for each, because each language has a limit, too.
  const languageAt = (at: number) => `de-x${String(at).padStart(3, '0')}`;
  const of = (count: number) => {
    const all = Array.from({ length: count }, (_, at) => ({ ...entry, language: languageAt(at) }));
    return JSON.stringify({ [kind]: [all] });
  };
  expect(readMap(of(limit))).toHaveProperty([kind, 'length'], limit);
  expect(() => readMap(of(limit + 1))).toThrow(InvalidContent);
});

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

const builtIn = {
  screens: {
    title: 'Hello',
    price: '{{price}} a month',
    days_one: 'a day',
    days_other: '{{count}} days',
  },
  islands: { 'plan-picker': { choose: 'Choose' } },
  guide: { sections: [{ title: 'Phones', list: ['One', 'Two'] }] },
};

const laid = (flat: Record<string, string>) => applyOverrides(flat, builtIn, 'en');
test('text overrides: a text replaces only the text of its key', () => {
  const { texts, refused } = laid({
    'screens.price': 'Only {{price}}',
    'islands.plan-picker.choose': 'Take it',
    'screens.days_one': 'one day',
    'guide.sections.0.list.1': 'Second',
  });
  expect(refused).toEqual([]);
  expect(texts).toEqual({
    screens: { ...builtIn.screens, price: 'Only {{price}}', days_one: 'one day' },
    islands: { 'plan-picker': { choose: 'Take it' } },
    guide: { sections: [{ title: 'Phones', list: ['One', 'Second'] }] },
  });
});

test.each([
  ['screens.price', 'Only {{preis}}', 'other placeholders or markup'],
  ['screens.price', 'Only for you', 'other placeholders or markup'],
  ['screens.title', 'Hello <script>', 'other placeholders or markup'],
  ['screens.title', 'Hello <img src=x onerror=y', 'other placeholders or markup'],
  ['screens.title', '$t(screens.price)', 'other placeholders or markup'],
  ['screens.title', 'see [terms](terms)', 'other placeholders or markup'],
  ['screens.title', ' ', 'empty'],
  ['screens.title', 'x'.repeat(2001), 'longer than 2000 characters'],
  ['screens.title', 'a\u0000b', 'unprintable characters'],
  ['screens.title', '\uE000country.code\uE001', 'unprintable characters'],
  ['screens', 'all', 'no such key'],
  ['screens.nothing', 'x', 'no such key'],
  ['screens.title.length', 'x', 'no such key'],
  ['__proto__.polluted', 'x', 'no such key'],
  ['screens.constructor', 'x', 'no such key'],
  ['guide.sections.0', 'x', 'no such key'],
  ['guide.sections.00.title', 'x', 'no such key'],
  ['guide.sections.length', 'x', 'no such key'],
  ['guide.sections.0.list.2', 'x', 'no such key'],
])('text overrides: %s %j is refused: %s', (key, text, reason) => {
  const { texts, refused } = laid({ [key]: text, 'islands.plan-picker.choose': 'Take it' });
  expect(refused).toEqual([{ key, reason }]);
  expect(texts.screens).toEqual(builtIn.screens);
  expect(texts.islands).toEqual({ 'plan-picker': { choose: 'Take it' } });
});

test('text overrides: consent texts can not be replaced', () => {
  const overrides = {
    islands: { 'consent-banner': { text: 'May we?' }, toast: { close: 'Close' } },
  };
  const flat = { 'islands.consent-banner.text': 'Agreed?', 'islands.toast.close': 'Shut' };
  const { texts, refused } = applyOverrides(flat, overrides, 'en');
  const reason = 'consent texts change only with a new version';
  expect(refused).toEqual([{ key: 'islands.consent-banner.text', reason }]);
  expect(texts.islands).toEqual({ ...overrides.islands, toast: { close: 'Shut' } });
});

test('text overrides: any input keeps all keys, each with a text', () => {
  const name = fc.constantFrom('screens', 'title', 'guide', 'sections', '0', '__proto__', 'x', '');
  const key = fc.array(name, { maxLength: 4 }).map((names) => names.join('.'));
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(key, fc.string()), fc.string()), (flat) => {
      const { texts } = laid(flat);
      expect(Object.keys(texts.screens ?? {})).toEqual(Object.keys(builtIn.screens));
      expect(Object.keys(texts)).toEqual(Object.keys(builtIn));
      expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
    }),
  );
});

test('text overrides: missing texts come from the base file', () => {
  const own = { screens: { title: 'Hallo' }, islands: {} };
  expect(mergeTexts(own, builtIn)).toEqual({
    screens: { ...builtIn.screens, title: 'Hallo' },
    islands: builtIn.islands,
    guide: builtIn.guide,
  });
});
