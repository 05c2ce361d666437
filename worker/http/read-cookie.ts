import type { Context } from 'hono';
import { parse } from 'hono/utils/cookie';
import type { App } from '../env.ts';

/** Reading a header calls native code, and a page reads five cookies. */
const parsed = new WeakMap<Request, Record<string, string>>();

export function readCookie(c: Context<App>, name: string, prefix?: 'host'): string | undefined {
  const { raw } = c.req;
  let cookies = parsed.get(raw);
  if (!cookies) {
    cookies = parse(raw.headers.get('cookie') ?? '');
    parsed.set(raw, cookies);
  }
  return cookies[prefix ? `__Host-${name}` : name];
}
