import { expect, it } from 'vitest';
import { interpolate } from '../../../locales/format/interpolate.ts';

it('interpolate: fills every occurrence of a placeholder', () => {
  expect(interpolate('Pay {{amount}}', { amount: '$6.99' })).toBe('Pay $6.99');
  expect(interpolate('{{ n }} of {{n}}', { n: 3 })).toBe('3 of 3');
});

it('interpolate: inserts values literally', () => {
  expect(interpolate('{{a}}', { a: '$& {{b}}', b: 'x' })).toBe('$& {{b}}');
});

it('interpolate: leaves a placeholder without a value', () => {
  expect(interpolate('Hello {{name}}', {})).toBe('Hello {{name}}');
});
