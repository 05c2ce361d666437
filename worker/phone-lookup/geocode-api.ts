import type { Context } from 'hono';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { cityKey, findCity } from './city-data.ts';
import { geocodeAddress } from './google-geocoder.ts';
import { offsetPoint, type Point } from './rules/city-offset.ts';

const maxLength = 200;

async function find(c: Context<App>, city: string, country: string): Promise<Point | null> {
  if (!city || city.length > maxLength || !/^[a-z]{2}$/i.test(country)) return null;
  const { log } = c.var;
  const point = await geocodeAddress(c.env, city, country, log);
  return point ?? findCity(c.env, city, country, log);
}

/** Answers in the shape of Google's geocoder. The point is always 3 km off, in the same direction. */
export const geocode = createHandlers(async (c) => {
  const { city = '', country = '' } = c.req.query();
  const point = await find(c, city.trim(), country);
  if (!point) throw new Refusal('geocoding_failed');
  const location = offsetPoint(point, cityKey(country, city));
  const headers = { 'Cache-Control': 'private, max-age=86400' };
  return c.json({ status: 'OK', results: [{ geometry: { location } }] }, 200, headers);
});
