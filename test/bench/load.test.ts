import { expect, test } from 'vitest';
import { strangersIn } from './load.ts';

const strangers = (...paths: string[]) => strangersIn(['/one_pager', ...paths], '/one_pager');

test('before the largest paint, all but the document, the loader and one picture is a stranger', () => {
  expect(strangers()).toEqual([]);
  expect(strangers('/images/map-1.webp', '/static/js/loader.abc.js')).toEqual([]);
  expect(strangers('/images/map-1.webp', '/images/face-1.webp')).toEqual(['/images/face-1.webp']);
  expect(strangers('/searching', '/static/js/react.abc.js', '/static/css/a.css')).toHaveLength(3);
});
