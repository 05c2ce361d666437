import type { Context } from 'hono';
import { parse } from 'hono/utils/cookie';
import type { App } from '../platform/env.ts';

declare module 'hono' {
  interface ContextVariableMap {
    cookies?: Record<string, string>;
  }
}

/** Reading a header calls native code, and a page reads five cookies. */
export function readCookie(c: Context<App>, name: string, prefix?: 'host'): string | undefined {
  let cookies = c.get('cookies');
  if (!cookies) {
    cookies = parse(c.req.raw.headers.get('cookie') ?? '');
    c.set('cookies', cookies);
  }
  return cookies[prefix ? `__Host-${name}` : name];
}
