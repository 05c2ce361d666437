import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { phoneKinds, textedCountries } from '../../phone-kinds.ts';
import { post, refusalOf, request } from '../request.ts';

const lookUp = (body: unknown, country = 'US') =>
  post('/phone-number-info', body, { 'cf-ipcountry': country });

test("lookup API: the response has the visitor's country", async () => {
  const response = await request('/api/v1/cf-country', { headers: { 'cf-ipcountry': 'PT' } });
  expect(await response.json()).toEqual({ country_code: 'PT' });
});

test('lookup API: the response has the registration data of a number', async () => {
  const response = await lookUp({ phone: '0049 151-23456789', country: 'US' });
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    data: {
      number: '+49 1512 3456789',
      country: 'DE',
      country_name: 'Germany',
      calling_code: '49',
      type: 'mobile',
      carrier: 'T-Mobile',
      timezone: 'Europe/Berlin',
      city: null,
      line: 'mobile',
      sms_refusal: null,
      other_readings: null,
    },
  });
});

test('lookup API: a text with several readings is answered with all of them', async () => {
  const response = await lookUp({ phone: '001 65 9234 5678', country: 'HK' });
  expect(await response.json()).toMatchObject({
    data: {
      number: '+65 9234 5678',
      country_name: 'Singapore',
      other_readings: [{ number: '+1 659 234 5678', country_name: 'United States' }],
    },
  });
});

test.each([
  ['+1 212 555 0100', { city: 'New York, NY', timezone: 'America/New_York' }],
  ['+44 7400 123456', { carrier: 'Three', timezone: 'Europe/London', city: null }],
  ['+353 1 234 5678', { country_name: 'Ireland', city: 'Dublin' }],
  ['+1 242 359 1234', { country: 'BS', city: null }],
])('lookup API: %s has %j', async (phone, facts) => {
  expect(await (await lookUp({ phone })).json()).toMatchObject({ data: facts });
});

test.each(phoneKinds)('lookup API: %s: %s is %s and gets no SMS because of %s', async (...kind) => {
  const [, phone, line, code] = kind;
  const more = { SMS_COUNTRIES: textedCountries };
  const response = await post('/phone-number-info', { phone }, {}, more);
  if (line === null) return expect((await refusalOf(response))[1]).toBe(code);
  expect(await response.json()).toMatchObject({
    data: { line, sms_refusal: code && { code, message: expect.any(String) } },
  });
});

test.each([
  ['+91 80897 15834', null],
  ['+20 10 0123 4567', null],
  ['+54 9 11 2345-6789', 'Buenos Aires'],
  ['+49 30 12345678', 'Berlin'],
])('lookup API: the area of %s is %s', async (phone, city) => {
  const { data } = (await (await lookUp({ phone })).json()) as { data: { city: string | null } };
  if (city === null) expect(data.city).toBeNull();
  else expect(data.city).toContain(city);
});

/** Lets no file be read, or no file whose path contains `folder`. */
const withoutFiles = (folder = '') => ({
  ASSETS: {
    fetch: async (request: Request) =>
      request.url.includes(folder) ? new Response('', { status: 404 }) : env.ASSETS.fetch(request),
  },
});

const missingFiles = (log: { mock: { calls: unknown[][] } }) =>
  log.mock.calls.filter(([line]) => String(line).includes('lookup_data_missing'));

test('lookup API: without the numbering plan the visitor is asked to try again', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const response = await post(
    '/phone-number-info',
    { phone: '+81 90 1234 5678' },
    {},
    withoutFiles(),
  );
  const refusal = [503, 'phone_lookup_failed', 'An error occurred, please try again'];
  expect(await refusalOf(response)).toEqual(refusal);
  expect(missingFiles(log)).toHaveLength(1);
});

test('lookup API: a missing file of facts gives no facts and one log line', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const phone = '+41 44 668 18 00';
  const response = await post('/phone-number-info', { phone }, {}, withoutFiles('/edge/numbers/'));
  expect(await response.json()).toMatchObject({
    data: { country: 'CH', carrier: null, timezone: null, city: null },
  });
  expect(missingFiles(log)).toHaveLength(1);
});

test('lookup API: an international service number has no country name', async () => {
  const response = await lookUp({ phone: '+800 1234 5678' });
  expect(await response.json()).toMatchObject({ data: { country: null, country_name: null } });
});

test("lookup API: a national number is parsed for the chosen country, else the visitor's", async () => {
  expect((await lookUp({ phone: '0151 23456789', country: 'DE' }, 'US')).status).toBe(200);
  for (const country of [undefined, ''])
    expect((await lookUp({ phone: '0151 23456789', country }, 'DE')).status).toBe(200);
});

test.each([
  [{ phone: '', country: 'US' }],
  [{ phone: 15123456789, country: 'DE' }],
  [{ country: 'DE' }],
])('lookup API: %j is refused', async (body) => {
  const refusal = [400, 'phone_incorrect', 'Phone number is incorrect'];
  expect(await refusalOf(await lookUp(body))).toEqual(refusal);
});

test.each([[{ phone: '+4915123456789', country: 49 }], [[]], [null], ['+4915123456789']])(
  'lookup API: %j is refused as malformed',
  async (body) => expect((await lookUp(body)).status).toBe(400),
);

test('lookup API: a failed lookup is answered and logged without the number', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(Intl, 'DisplayNames').mockImplementation(function fail() {
    throw new RangeError('+4915123456789');
  });
  const response = await lookUp({ phone: '+4915123456789' });
  const refusal = [503, 'phone_lookup_failed', 'An error occurred, please try again'];
  expect(await refusalOf(response)).toEqual(refusal);
  expect(String(log.mock.calls)).not.toContain('4915123456789');
});
