import { expect, it } from 'vitest';
import { fill } from '../../../locales/format/interpolate.ts';

it('puts values into their places, as often as they stand there', () => {
  expect(fill('Pay {{amount}}', { amount: '$6.99' })).toBe('Pay $6.99');
  expect(fill('{{ n }} of {{n}}', { n: 3 })).toBe('3 of 3');
});

it('takes a value as it is, also one that looks like a pattern', () => {
  expect(fill('{{a}}', { a: '$& {{b}}', b: 'x' })).toBe('$& {{b}}');
});

it('leaves a place without a value, so that it is seen', () => {
  expect(fill('Hello {{name}}', {})).toBe('Hello {{name}}');
});
