import type { Context } from 'hono';
import { readCookie } from '../http/read-cookie.ts';
import { setCookie } from '../http/set-cookie.ts';
import type { App } from '../platform/env.ts';
import type { Arm } from './rules/experiment-arms.ts';

/** The experiments whose screens the visitor saw: `headline:b.price:control`. */
export const armsCookie = 'arms';
const yearSeconds = 365 * 24 * 60 * 60;
const maxLength = 1024;

const textOf = ({ experiment, variant }: Arm) => `${experiment}:${variant}`;

/** Nothing where the law wants a consent that the visitor did not give. */
export function storedArms(c: Context<App>): Arm[] {
  if (!c.var.visitor.permissions.measuring) return [];
  const text = readCookie(c, armsCookie)?.slice(0, maxLength) ?? '';
  return text.split('.').flatMap((each) => {
    const [experiment = '', variant = ''] = each.split(':');
    return /^[\w-]{1,32}$/.test(experiment) && /^[\w-]{1,15}$/.test(variant)
      ? [{ experiment, variant }]
      : [];
  });
}

/** Adds arms to the cookie; those of experiments that this isolate does not know stay while there is room. */
export function storeArms(c: Context<App>, shown: readonly Arm[], known: readonly Arm[]): void {
  const isKnown = ({ experiment }: Arm) => known.some((arm) => arm.experiment === experiment);
  const before = storedArms(c).filter(
    (arm) => !shown.some(({ experiment }) => experiment === arm.experiment),
  );
  const all = [...shown, ...before.filter(isKnown), ...before.filter((arm) => !isKnown(arm))];
  let value = '';
  for (const text of all.map(textOf)) {
    const longer = value ? `${value}.${text}` : text;
    if (encodeURIComponent(longer).length <= maxLength) value = longer;
  }
  setCookie(c, armsCookie, value, {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: yearSeconds,
  });
}
