import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import * as v from 'valibot';
import type { App } from './env.ts';
import { hostPrefix } from './put-cookie.ts';

const lifetime = 10 * 60;

const text = v.pipe(v.string(), v.maxLength(1024));
const schema = v.object({
  map: v.optional(v.object({ phone: text, country: v.nullable(text) })),
  signup: v.optional(
    v.object({ email: text, access_token: text, deeplink_token: text, userId: text }),
  ),
});

/** What a visitor without JavaScript gave so far; the loader moves it into the stores. */
export type Carry = v.InferOutput<typeof schema>;

const encode = (carry: Carry) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(carry))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

function decode(cookie: string): Carry {
  try {
    const bytes = atob(cookie.replaceAll('-', '+').replaceAll('_', '/'));
    const json = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return v.parse(schema, JSON.parse(json));
  } catch {
    return {};
  }
}

/**
 * Adds to the `carry` cookie, on https `__Host-carry`: base64url of JSON, 10 minutes, readable by our own
 * pages' script.
 */
export function addToCarry(c: Context<App>, more: Carry): void {
  const prefix = hostPrefix(c);
  const carry = { ...decode(getCookie(c, 'carry', prefix) ?? ''), ...more };
  setCookie(c, 'carry', encode(carry), { prefix, path: '/', maxAge: lifetime, sameSite: 'Lax' });
}
