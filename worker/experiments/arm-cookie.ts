import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { App, Env } from '../env.ts';
import { setCookie } from '../http/set-cookie.ts';
import { signingSecret } from '../http/signing-secret.ts';
import type { Variant } from './rules/split.ts';

/** Which arm of which experiment a visitor has, and our signature of it. */
export const armCookie = 'arm';
const year = 365 * 24 * 60 * 60;

/** The secret that is never replaced, where there is one: the cookie lasts for a year. */
const keyOf = (env: Env) => env.NUMBER_SECRET || signingSecret(env);

const variantCookieValue = (experiment: string, arm: string) => `${experiment}:${arm}`;

const signatureOf = (env: Env, value: string) =>
  createHmac('sha256', keyOf(env)).update(`arm|${value}`).digest('base64url');

/** The arm of an experiment as the cookie says it, signed. */
export function signedArm(env: Env, experiment: string, arm: string): string {
  const value = variantCookieValue(experiment, arm);
  return `${value}.${signatureOf(env, value)}`;
}

/** What a cookie says, apart from its signature; one from before there were signatures has none. */
function parse(cookie = '') {
  const [, value = cookie, signature = ''] = /^(.*)\.([\w-]{43})$/.exec(cookie) ?? [];
  return { value, signature };
}

/**
 * The arm that a visitor keeps; undefined for none. An arm of weight 0 is drawn for nobody, so only our
 * signature shows that the visitor was given it before; any other arm a visitor could draw anyway.
 */
export function armFromCookie(
  env: Env,
  experiment: string,
  variants: readonly Variant[],
  cookie: string | undefined,
): Variant | undefined {
  const { value, signature } = parse(cookie);
  const kept = variants.find(({ key }) => value === variantCookieValue(experiment, key));
  if (!kept || kept.weight > 0) return kept;
  const [told, right] = [Buffer.from(signature), Buffer.from(signatureOf(env, value))];
  return told.length === right.length && timingSafeEqual(told, right) ? kept : undefined;
}

/** Whether a cookie says the arm that a visitor has; no for one who takes no part. */
export function cookieNamesArm(c: Context<App>, cookie: string | undefined): boolean {
  const { experiment, arm } = c.get('assignment');
  return experiment !== null && parse(cookie).value === variantCookieValue(experiment, arm);
}

/** Keeps the visitor's arm for a year. */
export function setArmCookie(c: Context<App>): void {
  const { experiment, arm } = c.get('assignment');
  if (experiment === null) return;
  setCookie(c, armCookie, signedArm(c.env, experiment, arm), {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: year,
  });
}
