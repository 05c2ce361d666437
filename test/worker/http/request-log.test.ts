import { expect, test, vi } from 'vitest';
import { post, request } from '../request.ts';

type Line = Record<string, unknown>;

/** All log lines from here on. */
function listen(): () => string[] {
  const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;
  const spies = levels.map((level) => vi.spyOn(console, level).mockReturnValue());
  return () => spies.flatMap(({ mock }) => mock.calls.map((call) => call.map(String).join(' ')));
}

const parsed = (lines: string[]): Line[] => lines.map((line) => JSON.parse(line));
const ofRequests = (lines: string[]) => parsed(lines).filter(({ event }) => event === 'request');

test('request log: writes one line with route, status, duration, screen, arm and country', async () => {
  const lines = listen();
  const headers = { 'cf-ipcountry': 'PT', 'cf-ray': 'ray-1' };
  await (await request('/signup?gclid=canary', { headers })).text();
  const [line, ...others] = ofRequests(lines());
  expect(others).toEqual([]);
  expect(line).toEqual({
    ts: expect.any(String),
    level: 'info',
    event: 'request',
    request: 'ray-1',
    method: 'GET',
    path: '/:screen',
    status: 200,
    ms: expect.any(Number),
    screen: 'signup',
    cache: 'miss',
    flow: 'default',
    arm: 'fullPrice',
    country: 'PT',
    lng: 'en',
    version: expect.any(String),
  });
});

test('request log: all lines of a request have its unique id', async () => {
  const lines = listen();
  await post('/signup', {});
  await post('/signup', {});
  const requests = parsed(lines())
    .filter(({ event }) => event === 'request' || event === 'request_refused')
    .map(({ request, event }) => [request, event]);
  const [first, , second] = requests.map(([request]) => request);
  expect(requests).toEqual([
    [first, 'request_refused'],
    [first, 'request'],
    [second, 'request_refused'],
    [second, 'request'],
  ]);
  expect(first).not.toBe(second);
});
