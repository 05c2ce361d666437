import type { Context } from 'hono';
import type { ReactElement } from 'react';
import { renderToReadableStream } from 'react-dom/server.edge';
import { Refused } from '../../screens/console/sign-in.tsx';
import type { App } from '../env.ts';

/** Our origin only, and no other page may frame it. */
const policy = [
  "default-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "img-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

export async function consolePage(
  c: Context<App>,
  element: ReactElement,
  status: 200 | 400 | 403 | 404 | 409 | 422 | 500 | 503 = 200,
): Promise<Response> {
  const stream = await renderToReadableStream(element);
  await stream.allReady;
  return c.body(stream, status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  });
}

export const consoleRefusal = (
  c: Context<App>,
  status: 400 | 403 | 404 | 500 | 503,
  title: string,
  message: string,
): Promise<Response> => consolePage(c, <Refused title={title} message={message} />, status);
