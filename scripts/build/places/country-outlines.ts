import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type ExtendedFeatureCollection, geoArea } from 'd3-geo';
import { feature } from 'topojson-client';
import { northing, radians } from '../../../islands/maps/area-drawing.ts';
import type { Ring, Spot } from './svg-paths.ts';

/** One polygon of a country on Mercator's plane, in radians; 2π is once around. */
export interface Land {
  /** ISO 3166 alpha-2; empty where there is none. */
  country: string;
  rings: Ring[];
  /** On the globe, in steradians. */
  area: number;
  west: number;
  south: number;
  east: number;
  north: number;
}

const require = createRequire(import.meta.url);
const world = JSON.parse(
  readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8'),
) as Parameters<typeof feature>[0];

/** A ring on the plane, in one piece where it crosses the date line. */
function onPlane(ring: number[][]): Ring {
  let before = ring[0]?.[0] ?? 0;
  return ring.map(([lng = 0, lat = 0]): Spot => {
    before = lng + 360 * Math.round((before - lng) / 360);
    return [radians(before), northing(Math.max(-85, Math.min(85, lat)))];
  });
}

function landOf(country: string, coordinates: number[][][]): Land {
  const rings = coordinates.map(onPlane);
  const xs = (rings[0] ?? []).map(([x]) => x);
  const ys = (rings[0] ?? []).map(([, y]) => y);
  return {
    country,
    rings,
    area: geoArea({ type: 'Polygon', coordinates }),
    west: Math.min(...xs),
    south: Math.min(...ys),
    east: Math.max(...xs),
    north: Math.max(...ys),
  };
}

const countries = feature(world, 'countries') as unknown as ExtendedFeatureCollection;

/** All land of the globe but its south end, country by country (Natural Earth). */
export const lands: Land[] = countries.features.flatMap(({ id, geometry }) => {
  const country = (id !== undefined && new Intl.Locale(`und-${id}`).region) || '';
  if (country === 'AQ') return [];
  if (geometry?.type === 'Polygon') return [landOf(country, geometry.coordinates)];
  if (geometry?.type !== 'MultiPolygon') return [];
  return geometry.coordinates.map((polygon) => landOf(country, polygon));
});
