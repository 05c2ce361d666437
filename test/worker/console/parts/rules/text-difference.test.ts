import { expect, test } from 'vitest';
import { differenceFrom } from '../../../../../worker/console/parts/rules/text-difference.ts';

test('console texts: a difference is what two texts do not share at their ends', () => {
  expect(differenceFrom('Know they’re OK. today', 'Know they’re OK.')).toEqual({
    start: 'Know they’re OK. ',
    middle: 'today',
    end: '',
  });
  expect(differenceFrom('a new b', 'a old b')).toEqual({ start: 'a ', middle: 'new ', end: 'b' });
  expect(differenceFrom('a a', 'a a a')).toEqual({ start: 'a a', middle: '', end: '' });
  expect(differenceFrom('規約', '約款')).toEqual({ start: '', middle: '規約', end: '' });
});
