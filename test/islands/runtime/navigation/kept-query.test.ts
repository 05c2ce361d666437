import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keptQuery } from '../../../../islands/runtime/navigation/kept-query.ts';

const known = [
  'fbclid',
  'gclid',
  'ttclid',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'skip_split',
  'appDomain',
  'custom_lng',
  'theme',
];

it('kept query: keeps the known parameters only', () => {
  expect(keptQuery(`?${known.map((name) => `${name}=1`).join('&')}`)).toBe(
    `?${known.map((name) => `${name}=1`).join('&')}`,
  );
  expect(keptQuery('?phone=555&gclid=a&email=a%40b.co&utm_id=3&GCLID=x')).toBe('?gclid=a');
  expect(keptQuery('')).toBe('');
});

it('kept query: keeps the first of a repeated one, up to 512 characters', () => {
  expect(keptQuery('?theme=a&theme=b')).toBe('?theme=a');
  expect(keptQuery(`?gclid=${'x'.repeat(600)}`)).toHaveLength('?gclid='.length + 512);
});

it('kept query: is idempotent', () => {
  const part = fc.tuple(fc.constantFrom(...known, 'other', 'utm_'), fc.string());
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const once = keptQuery(`?${new URLSearchParams(parts)}`);
      expect(keptQuery(once)).toBe(once);
    }),
  );
});
