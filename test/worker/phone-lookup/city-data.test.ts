import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { cityKey, findCity } from '../../../worker/phone-lookup/city-data.ts';

const find = (city: string, country: string) => findCity(env, city, country, vi.fn());

test.each([
  ['Berlin', 'DE', 52.52, 13.41],
  ['Köln', 'DE', 50.93, 6.95],
  ['koln', 'de', 50.93, 6.95],
  ['Cologne', 'DE', 50.93, 6.95],
  ['New York, NY', 'US', 40.71, -74.01],
  ['Bangalore, Karnataka', 'IN', 12.97, 77.59],
  ['Łódź', 'PL', 51.75, 19.47],
])('city data: %s in %s is found', async (city, country, lat, lng) => {
  const found = await find(city, country);
  expect(found?.lat).toBeCloseTo(lat, 1);
  expect(found?.lng).toBeCloseTo(lng, 1);
});

test('city data: a region is located among its towns, not at a distant place of the same name', async () =>
  expect((await find('Georgia', 'US'))?.lat).toBeLessThan(35));

test.each([
  ['Berlin', 'FR'],
  ['', 'DE'],
  ['__proto__', 'DE'],
])('city data: %j in %s is unknown', async (city, country) => {
  expect(await find(city, country)).toBeNull();
});

test('city data: a name matches without accents, case and punctuation', () => {
  expect(cityKey('br', 'São-Paulo ')).toBe(cityKey('BR', 'SAO PAULO'));
  expect(cityKey('DE', 'Straßburg')).toBe('DE/strassburg');
  expect(cityKey('EG', 'القاهرة')).toBe('EG/القاهرة');
});
