import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  armFromCookie,
  cookieNamesArm,
  setArmCookie,
} from '../../../worker/experiments/arm-cookie.ts';

const context = (experiment: string | null) => {
  const headers = new Headers();
  const c = {
    env,
    get: () => ({ experiment, arm: 'intro/7d' }),
    req: { url: 'https://shop.example/' },
    header: (name: string, value: string) => headers.append(name, value),
  } as unknown as Parameters<typeof setArmCookie>[0];
  return { c, headers };
};

test('names experiment and arm, for a year', () => {
  const { c, headers } = context('e1');
  setArmCookie(c);
  expect(headers.get('set-cookie')).toMatch(
    /^arm=e1%3Aintro%2F7d\.[\w-]{43}; Max-Age=31536000; Path=\/; Secure; SameSite=Lax$/,
  );
  const given = decodeURIComponent(headers.get('set-cookie')?.slice(4).split(';')[0] ?? '');
  expect(
    [given, 'e1:intro/7d', 'e1:intro/5d', ''].map((cookie) => cookieNamesArm(c, cookie)),
  ).toEqual([true, true, false, false]);
  // `TOKEN_SECRET` may be replaced within the year.
  const later = { ...env, TOKEN_SECRET: 'x'.repeat(32) };
  const variant = { key: 'intro/7d', weight: 0, flow: 'default' };
  expect(armFromCookie(later, 'e1', [variant], given)).toBe(variant);
});

test('who takes no part gets none', () => {
  const { c, headers } = context(null);
  setArmCookie(c);
  expect([cookieNamesArm(c, 'null:intro/7d'), headers.get('set-cookie')]).toEqual([false, null]);
});
