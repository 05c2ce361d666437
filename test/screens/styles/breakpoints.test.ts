import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const sheets = globSync('{screens,islands,worker/console}/**/*.css').map((file) =>
  readFileSync(file, 'utf8'),
);
const widths = sheets
  .flatMap((css) => [...css.matchAll(/\((min|max)-width: ([\d.]+)px\)/g)])
  .map(([, side, width]) => `${side} ${width}`);

it('breakpoints: 350, 432, 992 and 1280 px only', () => {
  expect([...new Set(widths)].sort()).toEqual([
    'max 1279.98',
    'max 349.98',
    'max 431.98',
    'max 991.98',
    'min 1280',
    'min 350',
    'min 432',
    'min 992',
  ]);
});
