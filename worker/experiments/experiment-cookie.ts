import type { Context } from 'hono';
import { readCookie } from '../http/read-cookie.ts';
import { setCookie } from '../http/set-cookie.ts';
import type { App } from '../platform/env.ts';
import { type Arm, armsIn, armsText } from './rules/arms.ts';

/** The experiments whose screens the visitor saw: `headline:b.price:control`. */
export const armsCookie = 'arms';
const yearSeconds = 365 * 24 * 60 * 60;
const maxLength = 1024;

declare module 'hono' {
  interface ContextVariableMap {
    storedArms?: Arm[];
  }
}

const isSame = (one: Arm) => (other: Arm) => one.experiment === other.experiment;

/** Nothing where the law wants a consent that the visitor did not give. */
export function storedArms(c: Context<App>): Arm[] {
  if (!c.get('visitor').permissions.measuring) return [];
  const stored = c.get('storedArms') ?? armsIn(readCookie(c, armsCookie) ?? '');
  c.set('storedArms', stored);
  return stored;
}

/** Adds arms to the cookie; those of experiments that this isolate does not know stay while there is room. */
export function storeArms(c: Context<App>, shown: readonly Arm[], known: readonly Arm[]): void {
  const before = storedArms(c).filter((arm) => !shown.some(isSame(arm)));
  const isKnown = (arm: Arm) => known.some(isSame(arm));
  const all = [...shown, ...before.filter(isKnown), ...before.filter((arm) => !isKnown(arm))];
  let value = '';
  for (const arm of all) {
    const longer = [value, armsText([arm])].filter(Boolean).join('.');
    if (encodeURIComponent(longer).length <= maxLength) value = longer;
  }
  setCookie(c, armsCookie, value, {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: yearSeconds,
  });
}
