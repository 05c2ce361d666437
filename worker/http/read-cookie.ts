import type { Context } from 'hono';
import { parse } from 'hono/utils/cookie';
import type { App } from '../env.ts';

/** Each read of a header leaves JavaScript, and a page looks for five cookies. */
const headers = new WeakMap<Request, string>();

export function readCookie(c: Context<App>, name: string, prefix?: 'host'): string | undefined {
  let header = headers.get(c.req.raw);
  if (header === undefined) {
    header = c.req.raw.headers.get('cookie') ?? '';
    headers.set(c.req.raw, header);
  }
  const key = prefix ? `__Host-${name}` : name;
  return header ? parse(header, key)[key] : undefined;
}
