import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { hostPrefix } from '../http/set-cookie.ts';

const lifetimeSeconds = 10 * 60;

const text = v.pipe(v.string(), v.maxLength(1024));
const schema = v.object({
  map: v.optional(v.object({ phone: text, country: v.nullable(text) })),
  signup: v.optional(
    v.object({ email: text, access_token: text, deeplink_token: text, userId: text }),
  ),
});

export type NoScriptState = v.InferOutput<typeof schema>;

const encode = (state: NoScriptState) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(state))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

function decode(cookie: string): NoScriptState {
  try {
    const bytes = atob(cookie.replaceAll('-', '+').replaceAll('_', '/'));
    const json = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return v.parse(schema, JSON.parse(json));
  } catch {
    return {};
  }
}

/** Cookie `carry` (`__Host-carry` on https): base64url of JSON, 10 minutes, readable by scripts. */
export function addToNoScriptCookie(c: Context<App>, more: NoScriptState): void {
  const prefix = hostPrefix(c);
  const state = { ...decode(getCookie(c, 'carry', prefix) ?? ''), ...more };
  setCookie(c, 'carry', encode(state), {
    prefix,
    path: '/',
    maxAge: lifetimeSeconds,
    sameSite: 'Lax',
  });
}
