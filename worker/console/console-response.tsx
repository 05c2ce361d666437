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

/** A spreadsheet would run a cell that starts with one of these as a formula. */
const cell = (text: string) =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export function csvResponse(
  c: Context<App>,
  name: string,
  rows: readonly (readonly string[])[],
): Response {
  const lines = rows.map((row) => row.map(cell).join(','));
  return c.body([...lines, ''].join('\r\n'), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  });
}
