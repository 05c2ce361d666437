import { afterEach, expect, test, vi } from 'vitest';
import { account, card, order, polled, pollingId } from '../payments/buying.ts';
import { openBank } from '../payments/payments-fixture.ts';
import { ask, post } from '../request.ts';

type Line = Record<string, unknown>;

/** Everything that is written from here on, a line each. */
function listen(): () => string[] {
  const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;
  const spies = levels.map((level) => vi.spyOn(console, level).mockReturnValue());
  return () => spies.flatMap(({ mock }) => mock.calls.map((call) => call.map(String).join(' ')));
}

const parsed = (lines: string[]): Line[] => lines.map((line) => JSON.parse(line));
const ofRequests = (lines: string[]) => parsed(lines).filter(({ event }) => event === 'request');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('request log: one line with route, status, duration, screen, arm and country', async () => {
  const lines = listen();
  const headers = { 'cf-ipcountry': 'PT', 'cf-ray': 'ray-1' };
  await (await ask('/signup?gclid=canary', { headers })).text();
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

const phones = ['2025550147', '202-555-0147', '(202) 555 0147', '202 555 0147', '202%20555'];
const email = 'canary.of.the.log@example.com';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Whatever a visitor can send us, good and bad. */
async function walk(): Promise<string[]> {
  openBank();
  const headers = await account(email);
  const token = headers.authorization.slice('Bearer '.length);
  for (const phone of phones) {
    await ask('/one_pager', { method: 'POST', headers: form, body: `phone=${phone}&country=US` });
    await post('/phone-number-info', { phone, country: 'US' });
    await post('/phone-number-info', { phone: [phone] });
    await ask(`/${encodeURIComponent(phone)}?phone=${phone}&email=${email}&gclid=${phone}`);
    await ask(`/api/v1/phone-number-info/${encodeURIComponent(phone)}`);
  }
  await ask('/signup', { method: 'POST', headers: form, body: `email=second.${email}` });
  await ask('/signup', { method: 'POST', headers: form, body: `email=${email}` });
  await ask('/signup', { method: 'POST', headers: form, body: 'email=canary-no-address' });
  await post('/signup', { email, user_uuid: 'x', landing_type: 'x', name: 'Canary Name' });
  await ask('/api/v1/signup', { method: 'POST', body: email });
  await post('/events', { events: [{ id: email, name: '2025550147', token }] });
  await ask('/api/v1/users/me/payments-settings', { headers });
  await ask('/api/v1/users/me/deeplink-qr-code', { headers });
  await post('/sign-in-link', { email });
  await post('/sign-in-link', { email: 'canary-no-address' });
  await post('/sign-in-link/open', { code: 'canary-of-a-code' });
  await post('/deeplink/redeem', { email, code: 'canary-of-a-code' });
  await post('/deeplink/check', { code: 'canary-of-a-code' }, headers);
  await ask('/api/v1/users/me/manual-code', { headers });
  await ask('/one_pager', { headers: { referer: `http://localhost/?email=${email}` } });
  const nonces = ['pm_card_visa_chargeDeclined', 'pm_2025550147', 'pm_card_visa'];
  for (const nonce of nonces) await polled(await pollingId('monthly_usd', card(nonce), headers));
  await order('quarterly_usd', card('pm_canary', { user_data: { email } }), headers);
  return [token, 'canary', '2025550147', '555 0147', '555-0147', 'Canary Name', 'pm_card'];
}

test('request log: every line is JSON without phone number, e-mail, token or card', async () => {
  const lines = listen();
  const secrets = await walk();
  const written = lines();
  expect(written.length).toBeGreaterThan(40);
  for (const line of written) {
    expect(Object.keys(JSON.parse(line))).toContain('event');
    for (const secret of secrets) expect(line).not.toContain(secret);
  }
});

test('request log: an error is logged without its message', async () => {
  const lines = listen();
  vi.spyOn(Intl, 'DisplayNames').mockImplementationOnce(
    class {
      constructor() {
        throw new TypeError(`bad value ${email}`);
      }
    } as never,
  );
  await ask('/one_pager', { headers: { 'cf-ipcountry': 'PW' } });
  const error = parsed(lines()).find(
    ({ level, event }) => level === 'error' && event === 'request_failed',
  );
  expect(error).toMatchObject({ event: 'request_failed', reason: 'TypeError' });
  expect(error?.stack).toContain('at ');
  expect(lines().join()).not.toContain(email);
});
