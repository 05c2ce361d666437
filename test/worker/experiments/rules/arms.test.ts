import { expect, test } from 'vitest';
import { armsIn, armsText } from '../../../../worker/experiments/rules/arms.ts';

const arm = (experiment: string, variant: string) => ({ experiment, variant });
const arms = [arm('headline_de', 'control'), arm('price-2', 'intro/7d')];

test('arms: a column and a cookie are read as they were written', () => {
  expect(armsText(arms)).toBe('headline_de:control,price-2:intro/7d');
  expect(armsIn(armsText(arms))).toEqual(arms);
  expect(armsIn(armsText(arms).replaceAll(',', '.'))).toEqual(arms);
  expect([armsText([]), armsIn('')]).toEqual(['', []]);
});

test('arms: what is no variant is left out, and a text is read up to 1 KB', () => {
  expect(armsIn('a:b,,c,:d,e:,f g:h,a:b:c,<x>:y,z:1')).toEqual([arm('a', 'b'), arm('z', '1')]);
  const long = Array.from({ length: 200 }, (_, at) => arm(`experiment${at}`, 'b'));
  const read = armsIn(armsText(long));
  expect(armsText(read).length).toBeLessThanOrEqual(1024);
  expect(long.slice(0, read.length)).toEqual(read);
  expect(armsIn('x'.repeat(5000))).toEqual([]);
});
