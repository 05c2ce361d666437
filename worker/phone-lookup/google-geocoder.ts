import * as v from 'valibot';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { Point } from './rules/city-offset.ts';

const timeoutMs = 3000;
const endpoint = 'https://maps.googleapis.com/maps/api/geocode/json';

const answer = v.object({
  status: v.string(),
  results: v.array(
    v.object({ geometry: v.object({ location: v.object({ lat: v.number(), lng: v.number() }) }) }),
  ),
});

/**
 * See developers.google.com/maps/documentation/geocoding.
 *
 * @param country ISO 3166 alpha-2
 * @returns null without a key or a result, and, after a log line, on a failure
 */
export async function geocodeAddress(
  { GOOGLE_GEOCODER_KEY: key }: Pick<Env, 'GOOGLE_GEOCODER_KEY'>,
  city: string,
  country: string,
  log: Log,
): Promise<Point | null> {
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
    const reason = error instanceof Error ? error.name : 'unknown';
    log('error', 'geocoder_failed', { vendor: 'google', reason });
    return null;
  }
}
