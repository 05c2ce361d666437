import { expect, test, vi } from 'vitest';
import { geocodeAddress } from '../../../worker/phone-lookup/geocode-api.ts';
import { geocoder } from '../../fakes/geocoder.ts';

const google = (answer: (request: Request) => Promise<Response | null>) =>
  vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(
      async (input, init) =>
        (await answer(new Request(input as string, init as RequestInit))) as Response,
    );
const ask = (city: string, log = vi.fn(), key: string | undefined = 'key') =>
  geocodeAddress({ GOOGLE_GEOCODER_KEY: key }, city, 'DE', log);

test('Google geocoder: asks with the key', async () => {
  const asked = google(geocoder);
  expect(await ask('Berlin')).toEqual({ lat: 52.5200066, lng: 13.404954 });
  expect(String(asked.mock.calls[0]?.[0])).toBe(
    'https://maps.googleapis.com/maps/api/geocode/json?address=Berlin%2C+DE&key=key',
  );
});

test('Google geocoder: not asked without a key', async () => {
  const asked = google(geocoder);
  expect(await geocodeAddress({}, 'Berlin', 'DE', vi.fn())).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});

test('Google geocoder: an unknown city is not a failure', async () => {
  google(geocoder);
  const log = vi.fn();
  expect(await ask('Nowhereville', log)).toBeNull();
  expect(log).not.toHaveBeenCalled();
});

test.each([
  ['refuses', async () => Response.json({ status: 'REQUEST_DENIED', results: [] }), 'RangeError'],
  ['answers no JSON', async () => new Response('<html>'), 'SyntaxError'],
  ['answers something else', async () => Response.json([]), 'ValiError'],
  ['is not there', () => Promise.reject(new TypeError('Berlin, key')), 'TypeError'],
])('Google geocoder: one line is logged when it %s', async (_what, answer, reason) => {
  google(answer);
  const log = vi.fn();
  expect(await ask('Berlin', log)).toBeNull();
  expect(log.mock.calls).toEqual([['error', 'geocoder_failed', { vendor: 'google', reason }]]);
});

test('Google geocoder: the timeout is 3 seconds', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout');
  google(geocoder);
  await ask('Berlin');
  expect(limit).toHaveBeenCalledWith(3000);
});
