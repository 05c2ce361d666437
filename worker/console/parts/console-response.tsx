import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import type { ReactElement } from 'react';
import { renderToReadableStream } from 'react-dom/server.edge';
import { type App, isProduction } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { ConsoleView, SampleBuyer } from './layout.tsx';
import { may } from './rules/roles.ts';
import { type SampleNote, sampleKey } from './rules/sample.ts';
import { timeZones } from './rules/time-zone.ts';
import { RefusedSignIn } from './sign-in.tsx';
import { clockOf, zoneOf } from './time-zone-choice.ts';

/** Allows our own origin only, and framing by no other page. */
const policy = [
  "default-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "frame-src 'self'",
  "img-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Null without sample data, and always null in production. */
async function sampleBuyer({ env, var: { log } }: Context<App>): Promise<string | null> {
  if (isProduction(env)) return null;
  const note = await env.FUNNEL.get<SampleNote>(sampleKey, 'json').catch(
    unanswered(log, 'FUNNEL', null),
  );
  return note?.buyer ?? null;
}

export async function consolePage(
  c: Context<App>,
  element: ReactElement,
  status: 200 | 400 | 403 | 404 | 409 | 422 | 500 | 503 = 200,
): Promise<Response> {
  const buyer = await sampleBuyer(c);
  const { pathname, search } = new URL(c.req.url);
  const path = c.req.method === 'GET' ? pathname + search : '';
  // Before signing in there is none.
  const person = c.get('person') ?? null;
  const mayPublish = person !== null && may(person.role, 'publish');
  const zone = zoneOf(c);
  const applyScript = chunks['console-apply'] ?? '';
  const clock = clockOf(c);
  const time = (iso: string) => clock(Date.parse(iso));
  const stream = await renderToReadableStream(
    <ConsoleView value={{ person, mayPublish, zone, zones: timeZones, path, applyScript, time }}>
      <SampleBuyer value={buyer}>{element}</SampleBuyer>
    </ConsoleView>,
  );
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
): Promise<Response> => consolePage(c, <RefusedSignIn title={title} message={message} />, status);

/** A spreadsheet would run a cell that starts with one of these as a formula. */
const cell = (text: string) =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export async function csvResponse(
  c: Context<App>,
  name: string,
  rows: readonly (readonly string[])[],
): Promise<Response> {
  const mark = (await sampleBuyer(c)) === null ? '' : 'sample-';
  const lines = rows.map((row) => row.map(cell).join(','));
  return c.body([...lines, ''].join('\r\n'), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${mark}${name}"`,
    'cache-control': 'no-store',
  });
}
