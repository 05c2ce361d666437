import { createHmac } from 'node:crypto';

/** Crockford's base 32: no letters that look like digits. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const [indexLength, checkLength] = [4, 8];

export interface SingleUseCodes {
  count: number;
  /** The key of the codes. Another seed makes other codes and ends these. */
  seed: string;
}

const inLetters = (value: bigint, length: number): string =>
  Array.from(
    { length },
    (_, at) => letters[Number((value >> BigInt(5 * (length - 1 - at))) & 31n)],
  ).join('');

/** `SPRING.000K3M9Q2XW7`: the number of the code, and 40 bits that only the seed tells. */
export function codeAt(coupon: string, { seed }: SingleUseCodes, index: number): string {
  const hash = createHmac('sha256', seed).update(`${coupon}.${index}`).digest();
  const check = inLetters(hash.readBigUInt64BE() >> 24n, checkLength);
  return `${coupon}.${inLetters(BigInt(index), indexLength)}${check}`;
}

/** The coupon of a code; a code without a full stop is its coupon. */
export const couponOfCode = (code: string): string => code.split('.', 1)[0] ?? code;

export function isIssued(code: string, codes: SingleUseCodes): boolean {
  const coupon = couponOfCode(code);
  const digits = [...code.slice(coupon.length + 1, coupon.length + 1 + indexLength)];
  const index = digits.reduce((sum, letter) => sum * 32 + letters.indexOf(letter), 0);
  return index >= 0 && index < codes.count && code === codeAt(coupon, codes, index);
}
