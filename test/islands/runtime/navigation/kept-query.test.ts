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

it('lets the known parameters travel and no other', () => {
  expect(keptQuery(`?${known.map((name) => `${name}=1`).join('&')}`)).toBe(
    `?${known.map((name) => `${name}=1`).join('&')}`,
  );
  expect(keptQuery('?phone=555&gclid=a&email=a%40b.co&utm_id=3&GCLID=x')).toBe('?gclid=a');
  expect(keptQuery('')).toBe('');
});

it('takes the first of a repeated one, and no more than 512 characters of it', () => {
  expect(keptQuery('?theme=a&theme=b')).toBe('?theme=a');
  expect(keptQuery(`?gclid=${'x'.repeat(600)}`)).toHaveLength('?gclid='.length + 512);
});

it('is stable: what was kept is kept again', () => {
  const part = fc.tuple(fc.constantFrom(...known, 'other', 'utm_'), fc.string());
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const once = keptQuery(`?${new URLSearchParams(parts)}`);
      expect(keptQuery(once)).toBe(once);
    }),
  );
});
