import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { codeAt, couponOfCode, isIssued } from '../../../../worker/catalog/rules/coupon-codes.ts';
import { type Coupon, discountOf } from '../../../../worker/catalog/rules/coupons.ts';

const codes = { count: 5000, seed: '00112233445566778899aabbccddeeff' };
const all = Array.from({ length: codes.count }, (_, at) => codeAt('SPRING', codes, at));

test('single-use codes: each is issued, differs from the others and names its coupon', () => {
  expect(new Set(all).size).toBe(codes.count);
  for (const code of all) {
    expect(code).toMatch(/^SPRING\.[\dA-Z]{12}$/);
    expect([couponOfCode(code), isIssued(code, codes)]).toEqual(['SPRING', true]);
  }
});

test('single-use codes: a changed letter, another coupon or seed, or a number above the count is none', () => {
  const letter = fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZILOU.');
  fc.assert(
    fc.property(fc.nat(codes.count - 1), fc.nat(11), letter, (index, place, other) => {
      const code = all[index] ?? '';
      const at = 'SPRING.'.length + place;
      const changed = code.slice(0, at) + other + code.slice(at + 1);
      expect(isIssued(changed, codes)).toBe(changed === code);
    }),
  );
  const [first = ''] = all;
  expect(isIssued(first.replace('SPRING', 'AUTUMN'), codes)).toBe(false);
  expect(isIssued(first, { ...codes, seed: codes.seed.replace('0', '1') })).toBe(false);
  expect(isIssued(codeAt('SPRING', codes, codes.count), codes)).toBe(false);
  for (const text of ['', 'SPRING', 'SPRING.', `${first}0`])
    expect(isIssued(text, codes)).toBe(false);
});

test('single-use codes: more of them leave the first ones valid', () =>
  expect(isIssued(all[7] ?? '', { ...codes, count: 9000 })).toBe(true));

test('single-use codes: give the coupon’s discount once, and its name gives none', () => {
  const coupons = new Map<string, Coupon>([
    ['SPRING', { percent: 10, codes }],
    ['PLAIN', { percent: 10 }],
  ]);
  const off = (code: string) =>
    discountOf(coupons, code, builtInCatalog.planOf('monthly', 'USD'), 0);
  const [code = ''] = all;
  expect(off(` ${code.toLowerCase()}.`)).toEqual({
    kind: 'discount',
    code,
    discount: 400,
    limit: 1,
  });
  for (const wrong of ['SPRING', 'SPRING.', 'PLAIN.0000', code.replace('SPRING', 'PLAIN')])
    expect(off(wrong)).toEqual({ kind: 'refused', refusal: 'coupon_unknown' });
});
