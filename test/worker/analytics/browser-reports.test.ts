import { afterEach, expect, test, vi } from 'vitest';
import { ask } from '../request.ts';

const path = '/api/v1/reports';
const report = (blocked = 'https://foreign.example/skim.js') => ({
  type: 'csp-violation',
  url: 'https://funnel.example/signup?email=ada@example.com',
  body: { effectiveDirective: 'script-src-elem', blockedURL: blocked, disposition: 'enforce' },
});
const send = (body: BodyInit, type = 'application/reports+json', headers = {}) =>
  ask(path, { method: 'POST', body, headers: { 'content-type': type, ...headers } });

const linesOf = (level: 'warn' | 'info') => {
  const spy = vi.spyOn(console, level).mockReturnValue();
  return () => spy.mock.calls.map(([line]) => JSON.parse(String(line)));
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a report becomes a line of log, without a cookie or anybody’s data', async () => {
  const lines = linesOf('warn');
  const response = await send(JSON.stringify([report()]));
  expect(response.status).toBe(204);
  expect(response.headers.has('set-cookie')).toBe(false);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(lines()).toEqual([
    {
      ts: expect.any(String),
      level: 'warn',
      event: 'browser_report',
      request: expect.any(String),
      type: 'csp-violation',
      screen: 'signup',
      key: 'script-src-elem',
      state: 'enforce',
      vendor: 'foreign.example',
    },
  ]);
});

test('the older form is taken too', async () => {
  const lines = linesOf('warn');
  const body = {
    'csp-report': { 'document-uri': 'https://funnel.example/', 'blocked-uri': 'eval' },
  };
  const response = await send(JSON.stringify(body), 'application/csp-report');
  expect([response.status, lines()[0]?.reason]).toEqual([204, 'eval']);
});

test.each([
  ['another type', 415, () => send('[]', 'text/plain')],
  ['no JSON', 400, () => send('{')],
  ['too much', 413, () => send(`["${'x'.repeat(40_000)}"]`)],
  ['another site’s page', 403, () => send('[]', undefined, { 'sec-fetch-site': 'cross-site' })],
  ['nothing', 204, () => send('null')],
  ['strange things', 204, () => send('[null,[],{"type":{"a":1},"url":[],"body":7}]')],
])('%s is answered, never by a failure of ours', async (_, status, call) => {
  expect((await call()).status).toBe(status);
});

test('whoever sends without end fills no log, and is heard again later', async () => {
  const lines = linesOf('warn');
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
  const many = JSON.stringify(Array.from({ length: 50 }, () => report()));
  const statuses = [];
  for (let sent = 0; sent < 8; sent += 1) statuses.push((await send(many)).status);
  expect(lines()).toHaveLength(60);
  expect(statuses).toEqual([204, 204, 204, 204, 204, 204, 429, 429]);
  vi.setSystemTime(Date.now() + 60_000);
  expect((await send(many)).status).toBe(204);
});
