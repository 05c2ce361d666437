import { expect, test } from 'vitest';
import { setVariantCookie, variantCookieValue } from '../../../worker/experiments/arm-cookie.ts';

const context = (experiment: string | null) => {
  const headers = new Headers();
  const c = {
    get: () => ({ experiment, arm: 'intro/7d' }),
    req: { url: 'https://shop.example/' },
    header: (name: string, value: string) => headers.append(name, value),
  } as unknown as Parameters<typeof setVariantCookie>[0];
  return { c, headers };
};

test('names experiment and arm, for a year', () => {
  const { c, headers } = context('e1');
  setVariantCookie(c);
  expect(variantCookieValue(c)).toBe('e1:intro/7d');
  expect(headers.get('set-cookie')).toBe(
    'arm=e1%3Aintro%2F7d; Max-Age=31536000; Path=/; Secure; SameSite=Lax',
  );
});

test('who takes no part gets none', () => {
  const { c, headers } = context(null);
  setVariantCookie(c);
  expect([variantCookieValue(c), headers.get('set-cookie')]).toEqual([null, null]);
});
