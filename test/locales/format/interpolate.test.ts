import { expect, it } from 'vitest';
import { interpolate } from '../../../locales/format/interpolate.ts';

it('puts values into their places, as often as they stand there', () => {
  expect(interpolate('Pay {{amount}}', { amount: '$6.99' })).toBe('Pay $6.99');
  expect(interpolate('{{ n }} of {{n}}', { n: 3 })).toBe('3 of 3');
});

it('takes a value as it is, also one that looks like a pattern', () => {
  expect(interpolate('{{a}}', { a: '$& {{b}}', b: 'x' })).toBe('$& {{b}}');
});

it('leaves a place without a value, so that it is seen', () => {
  expect(interpolate('Hello {{name}}', {})).toBe('Hello {{name}}');
});
