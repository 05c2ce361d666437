import { expect, test } from 'vitest';
import { claimsAndReviews } from '../../../../worker/content/rules/claims-and-reviews.ts';

const source = 'App Store';

test('a page has what is said in its own language', () => {
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
