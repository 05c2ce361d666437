import { expect, test } from 'vitest';
import {
  type ClaimId,
  claimProblems,
  claimsIn,
  type EditedClaim,
  withClaim,
} from '../../../../../worker/console/texts/rules/claims.ts';

const edited = (texts: Record<string, string>, more: Partial<EditedClaim> = {}): EditedClaim => ({
  source: 'Report 2026',
  name: '',
  img: '',
  about: '',
  texts: new Map(Object.entries(texts)),
  confirmed: new Set(),
  ...more,
});
const id: ClaimId = { kind: 'claims', source: 'Report 2026', name: '', at: 0 };
const states = (content: string) =>
  claimsIn(content, 'claims').map(({ source, texts }) => [
    source,
    Object.fromEntries([...texts].map(([tag, { text, state }]) => [tag, `${state}: ${text}`])),
  ]);

const first = withClaim(null, 'claims', null, edited({ en: '10 people', de: '10 Leute', fr: '' }));

test('claims: a new claim is published in the languages that have a text', () => {
  expect(JSON.parse(first)).toEqual({
    claims: [
      [
        { text: '10 people', source: 'Report 2026', language: 'en' },
        { text: '10 Leute', source: 'Report 2026', language: 'de', english: '10 people' },
      ],
    ],
  });
});

test('claims: the document is indented by two spaces', () => {
  expect(first.split('\n')[1]).toBe('  "claims": [');
});

test('claims: after English changes, other languages are outdated until they are rewritten or confirmed', () => {
  const changed = withClaim(first, 'claims', id, edited({ en: '11 people', de: '10 Leute' }));
  expect(states(changed)).toEqual([
    ['Report 2026', { en: 'published: 11 people', de: 'outdated: 10 Leute' }],
  ]);
  const same = edited({ en: '11 people', de: '10 Leute' }, { confirmed: new Set(['de']) });
  expect(states(withClaim(changed, 'claims', id, same))[0]?.[1]).toMatchObject({
    de: 'published: 10 Leute',
  });
  const written = withClaim(changed, 'claims', id, edited({ en: '11 people', de: '11 Leute' }));
  expect(states(written)[0]?.[1]).toMatchObject({ de: 'published: 11 Leute' });
});

test('claims: claims published by file without the console are outdated after English changed', () => {
  const entry = (language: string, text: string) => ({ text, source: 'Report 2026', language });
  const file = JSON.stringify({ claims: [[entry('en', 'One'), entry('de', 'Eins')]] });
  expect(states(file)[0]?.[1]).toEqual({ en: 'published: One', de: 'published: Eins' });
  const changed = withClaim(file, 'claims', id, edited({ en: 'Two', de: 'Eins' }));
  expect(states(changed)[0]?.[1]).toMatchObject({ de: 'outdated: Eins' });
});

test('claims: other claims, their order and unknown fields are kept', () => {
  const other = { text: 'Other', source: 'Else', language: 'en', since: 2020 };
  const review = { text: 'Good', source: 'Store', language: 'en', name: 'Uwe' };
  const { claims } = JSON.parse(first);
  const all = JSON.stringify({ claims: [[...claims[0], other], 'x'], reviews: [[review]], y: 1 });
  const next = JSON.parse(withClaim(all, 'claims', id, edited({ en: '', de: '' })));
  expect(next).toEqual({ claims: [[other], 'x'], reviews: [[review]], y: 1 });
});

test('claims: of two claims with the same source the right one changes', () => {
  const two = withClaim(first, 'claims', null, edited({ en: 'Second' }));
  const changed = withClaim(two, 'claims', { ...id, at: 1 }, edited({ en: 'Third' }));
  expect(states(changed).map(([, texts]) => texts)).toEqual([
    { en: 'published: 10 people', de: 'published: 10 Leute' },
    { en: 'published: Third' },
  ]);
});

test('claims: a source is required, and a review needs a name', () => {
  const problems = (kind: 'claims' | 'reviews', more: Partial<EditedClaim>, text = 'x') => [
    ...claimProblems(kind, edited({ en: text }, more)).keys(),
  ];
  expect(problems('claims', { source: '' })).toEqual(['source']);
  expect(problems('reviews', { source: '', name: '' })).toEqual(['source', 'name']);
  expect(problems('reviews', { name: 'Uwe', img: 'https://evil.example/x' })).toEqual(['img']);
  expect(problems('claims', {}, 'x'.repeat(121))).toEqual(['text.en']);
  expect(problems('claims', { source: '' }, '')).toEqual([]);
});

test('claims: a source has at most 160 characters, a name 60, a claim 120', () => {
  const problems = (source: number, name: number, text: number) => [
    ...claimProblems(
      'claims',
      edited({ en: 'x'.repeat(text) }, { source: 'x'.repeat(source), name: 'x'.repeat(name) }),
    ).keys(),
  ];
  expect(problems(160, 60, 120)).toEqual([]);
  expect(problems(161, 60, 120)).toEqual(['source']);
  expect(problems(160, 61, 120)).toEqual(['name']);
  expect(problems(160, 60, 121)).toEqual(['text.en']);
});

test('claims: a review has at most 400 characters', () => {
  const problems = (length: number) => [
    ...claimProblems('reviews', edited({ en: 'x'.repeat(length) }, { name: 'Uwe' })).keys(),
  ];
  expect([problems(400), problems(401)]).toEqual([[], ['text.en']]);
});

test('claims: a review keeps its name, image and subject, and has no empty fields', () => {
  const review = (more: Partial<EditedClaim>) =>
    JSON.parse(withClaim(null, 'reviews', null, edited({ en: 'Good' }, more))).reviews[0];
  const bare = { text: 'Good', source: 'Report 2026', language: 'en', name: 'Uwe' };
  expect(review({ name: 'Uwe' })).toEqual([bare]);
  const full = { name: 'Uwe', img: '/img/uwe.avif', about: 'child' };
  expect(review(full)).toEqual([{ ...bare, ...full }]);
  expect(claimsIn(JSON.stringify({ reviews: [review(full)] }), 'reviews')).toMatchObject([full]);
});

test.each(['', 'null', '[]', '{"claims":1}', '{"claims":[[1,null]]}', 'not JSON'])(
  'claims: “%s” is not a source',
  (content) => {
    expect(claimsIn(content, 'claims')).toEqual([]);
    expect(states(withClaim(content, 'claims', null, edited({ en: 'One' })))).toHaveLength(1);
  },
);
