import type { Context } from 'hono';
import * as v from 'valibot';
import { createHandlers } from '../http/handlers.ts';
import type { App, Env } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import { cityKey, findCity } from './city-data.ts';
import { type Coordinates, offsetPoint } from './rules/city-offset.ts';

const maxLength = 200;

async function find(c: Context<App>, city: string, country: string): Promise<Coordinates | null> {
  if (!city || city.length > maxLength || !/^[a-z]{2}$/i.test(country)) return null;
  const { log } = c.var;
  const point = await geocodeAddress(c.env, city, country, log);
  return point ?? findCity(c.env, city, country, log);
}

/** Responds in the shape of Google's geocoder. The point is always 3 km off, in the same direction. */
export const geocode = createHandlers(async (c) => {
  const { city = '', country = '' } = c.req.query();
  const point = await find(c, city.trim(), country);
  if (!point) throw new Refusal('geocoding_failed');
  const location = offsetPoint(point, cityKey(country, city));
  const headers = { 'Cache-Control': 'private, max-age=86400' };
  return c.json({ status: 'OK', results: [{ geometry: { location } }] }, 200, headers);
});

const timeoutMs = 3000;

const endpoint = 'https://maps.googleapis.com/maps/api/geocode/json';

const answer = v.object({
  status: v.string(),
  results: v.array(
    v.object({ geometry: v.object({ location: v.object({ lat: v.number(), lng: v.number() }) }) }),
  ),
});

/** developers.google.com/maps/documentation/geocoding; null without a key or result, logged on a failure. */
export async function geocodeAddress(
  { GOOGLE_GEOCODER_KEY: key }: Pick<Env, 'GOOGLE_GEOCODER_KEY'>,
  city: string,
  country: string,
  log: Log,
): Promise<Coordinates | null> {
  if (!key) return null;
  const query = new URLSearchParams({ address: `${city}, ${country}`, key });
  try {
    const response = await fetch(`${endpoint}?${query}`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, results } = v.parse(answer, await response.json());
    if (status !== 'OK' && status !== 'ZERO_RESULTS') throw new RangeError(status);
    return results[0]?.geometry.location ?? null;
  } catch (error) {
    const reason = reasonOf(error);
    log('error', 'geocoder_failed', { vendor: 'google', reason });
    return null;
  }
}
