import { expect, test } from 'vitest';
import { geocoder } from './geocoder.ts';

const address = 'https://maps.googleapis.com/maps/api/geocode/json';
const ask = async (query: string) =>
  (await geocoder(new Request(`${address}?${query}`)))?.json() as Promise<{ status: string }>;

test('answers as the geocoder does: found, not found, no key', async () => {
  expect(await ask('address=Berlin, DE&key=k')).toMatchObject({
    status: 'OK',
    results: [{ geometry: { location: { lat: 52.5200066 } } }],
  });
  expect(await ask('address=Nowhereville&key=k')).toEqual({ status: 'ZERO_RESULTS', results: [] });
  expect(await ask('address=Berlin, DE')).toMatchObject({ status: 'REQUEST_DENIED' });
});

test('geocoder fake: any other path is not answered', async () => {
  expect(await geocoder(new Request('https://maps.googleapis.com/maps/api/js'))).toBeNull();
});
