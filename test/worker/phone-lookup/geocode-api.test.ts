import { expect, test, vi } from 'vitest';
import { geocodeAddress } from '../../../worker/phone-lookup/geocode-api.ts';
import { geocoder } from '../../fakes/geocoder.ts';
import { refusalOf, request } from '../request.ts';

interface Answer {
  status: string;
  results: { geometry: { location: { lat: number; lng: number } } }[];
}

const geocode = (query: Record<string, string>, more = {}) =>
  request(`/api/v1/geocode?${new URLSearchParams(query)}`, {}, more);
const pointOf = async (response: Response) => {
  const { status, results } = (await response.json()) as Answer;
  expect(status).toBe('OK');
  return results[0]?.geometry.location ?? { lat: 0, lng: 0 };
};
const radians = (degrees: number) => (degrees * Math.PI) / 180;
/** Metres, accurate for short distances. */
const metres = (a: { lat: number; lng: number }, b: typeof a) =>
  6_371_000 *
  Math.hypot(
    radians(a.lat - b.lat),
    radians(a.lng - b.lng) * Math.cos(radians((a.lat + b.lat) / 2)),
  );

test('geocode API: a city is moved by 3 km, in the same direction each time', async () => {
  const berlin = { city: 'Berlin', country: 'DE' };
  const point = await pointOf(await geocode(berlin));
  expect(Math.abs(metres(point, { lat: 52.5244, lng: 13.4105 }) - 3000)).toBeLessThan(1);
  expect(await pointOf(await geocode(berlin))).toEqual(point);
});

test("geocode API: with a key Google's position is moved by 3 km", async () => {
  const more = { GOOGLE_GEOCODER_KEY: 'key' };
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    async (input, init) =>
      (await geocoder(new Request(input as string, init as never))) as Response,
  );
  const point = await pointOf(await geocode({ city: 'Berlin', country: 'DE' }, more));
  expect(Math.abs(metres(point, { lat: 52.5200066, lng: 13.404954 }) - 3000)).toBeLessThan(1);
  const listed = await pointOf(await geocode({ city: 'Hamburg', country: 'DE' }, more));
  expect(listed.lat).toBeCloseTo(53.5, 0);
});

test.each([
  [{ city: 'Nowhereville', country: 'US' }],
  [{ city: '', country: 'US' }],
  [{ city: 'Berlin', country: '' }],
  [{ city: 'Berlin', country: 'Germany' }],
  [{ city: 'x'.repeat(5000), country: 'US' }],
])('geocode API: %j has no result', async (query) => {
  const refusal = [404, 'geocoding_failed', 'Geocoding request failed'];
  expect(await refusalOf(await geocode(query))).toEqual(refusal);
});

const stubGoogle = (answer: (request: Request) => Promise<Response | null>) =>
  vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(
      async (input, init) =>
        (await answer(new Request(input as string, init as RequestInit))) as Response,
    );
const geocodeWithKey = (city: string, log = vi.fn()) =>
  geocodeAddress({ GOOGLE_GEOCODER_KEY: 'key' }, city, 'DE', log);

test('Google geocoder: asks with the key', async () => {
  const fetchMock = stubGoogle(geocoder);
  expect(await geocodeWithKey('Berlin')).toEqual({ lat: 52.5200066, lng: 13.404954 });
  expect(String(fetchMock.mock.calls[0]?.[0])).toBe(
    'https://maps.googleapis.com/maps/api/geocode/json?address=Berlin%2C+DE&key=key',
  );
});

test('Google geocoder: not asked without a key', async () => {
  const fetchMock = stubGoogle(geocoder);
  expect(await geocodeAddress({}, 'Berlin', 'DE', vi.fn())).toBeNull();
  expect(fetchMock).not.toHaveBeenCalled();
});

test('Google geocoder: an unknown city is not a failure', async () => {
  stubGoogle(geocoder);
  const log = vi.fn();
  expect(await geocodeWithKey('Nowhereville', log)).toBeNull();
  expect(log).not.toHaveBeenCalled();
});

test.each([
  ['refuses', async () => Response.json({ status: 'REQUEST_DENIED', results: [] }), 'RangeError'],
  ['answers no JSON', async () => new Response('<html>'), 'SyntaxError'],
  ['answers something else', async () => Response.json([]), 'ValiError'],
  ['is not there', () => Promise.reject(new TypeError('Berlin, key')), 'TypeError'],
])('Google geocoder: one line is logged when it %s', async (_what, answer, reason) => {
  stubGoogle(answer);
  const log = vi.fn();
  expect(await geocodeWithKey('Berlin', log)).toBeNull();
  expect(log.mock.calls).toEqual([['error', 'geocoder_failed', { vendor: 'google', reason }]]);
});

test('Google geocoder: the timeout is 3 seconds', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout');
  stubGoogle(geocoder);
  await geocodeWithKey('Berlin');
  expect(limit).toHaveBeenCalledWith(3000);
});
