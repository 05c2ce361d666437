import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type ExtendedFeatureCollection, geoArea } from 'd3-geo';
import { feature } from 'topojson-client';
import { northing, radians } from '../../../islands/maps/area-drawing.ts';
import type { City } from './town-labels.ts';

export type Spot = readonly [x: number, y: number];
export type Ring = readonly Spot[];

export interface Frame {
  west: number;
  south: number;
  east: number;
  north: number;
  scale: number;
  /** Map position of the point 0, 0 on paper. */
  origin: Spot;
}

/** In paper units: closer points and smaller shapes are left out. */
const coarse = 3;
type Side = [inside: (spot: Spot) => boolean, cut: (a: Spot, b: Spot) => Spot];
const sidesOf = ({ west, south, east, north }: Frame): Side[] => {
  const atX =
    (x: number) =>
    (a: Spot, b: Spot): Spot => [x, a[1] + ((b[1] - a[1]) * (x - a[0])) / (b[0] - a[0])];
  const atY =
    (y: number) =>
    (a: Spot, b: Spot): Spot => [a[0] + ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]), y];
  return [
    [([x]) => x >= west, atX(west)],
    [([x]) => x <= east, atX(east)],
    [([, y]) => y >= south, atY(south)],
    [([, y]) => y <= north, atY(north)],
  ];
};

/** Sutherland–Hodgman clipping. */
function clip(ring: Ring, frame: Frame): Ring {
  let rest = ring;
  for (const [inside, cut] of sidesOf(frame)) {
    const next: Spot[] = [];
    let before = rest.at(-1);
    let beforeInside = before !== undefined && inside(before);
    for (const spot of rest) {
      const now = inside(spot);
      if (before && now !== beforeInside) next.push(cut(before, spot));
      if (now) next.push(spot);
      before = spot;
      beforeInside = now;
    }
    rest = next;
  }
  return rest;
}

export const onPaper = ({ scale, origin }: Frame, [x, y]: Spot): [x: number, y: number] => [
  scale * (x - origin[0]),
  scale * (origin[1] - y),
];

/** SVG path data in whole units. */
export function pathOf(rings: readonly Ring[], frame: Frame): string {
  let path = '';
  for (const ring of rings) {
    const kept: [number, number][] = [];
    for (const spot of clip(ring, frame)) {
      const [x, y] = onPaper(frame, spot);
      const last = kept.at(-1);
      if (last && Math.hypot(x - last[0], y - last[1]) < coarse) continue;
      kept.push([Math.round(x), Math.round(y)]);
    }
    const wide = Math.max(...kept.map(([x]) => x)) - Math.min(...kept.map(([x]) => x));
    if (kept.length < 3 || wide < coarse) continue;
    const [first = [0, 0], ...more] = kept;
    const steps = more.map(([x, y], at) => {
      const [left, top] = kept[at] ?? [0, 0];
      return `${x - left} ${y - top}`;
    });
    path += `M${first.join(' ')}l${steps.join(' ')}z`.replaceAll(' -', '-');
  }
  return path;
}

export function townsOn<Near extends City>(
  near: readonly Near[],
  place: (city: Near) => [x: number, y: number] | null,
  most: number,
): [name: string, x: number, y: number][] {
  const towns: [string, number, number][] = [];
  for (const city of near) {
    const at = place(city);
    if (!at) continue;
    const [x, y] = [Math.round(at[0]), Math.round(at[1])];
    const free = towns.every(([, a, b]) => Math.abs(a - x) > 84 || Math.abs(b - y) > 26);
    if (free) towns.push([city.name, x, y]);
    if (towns.length === most) break;
  }
  return towns;
}

/** One polygon of a country in Mercator's projection, in radians; 2π is once around. */
export interface Land {
  /** ISO 3166 alpha-2; empty where there is none. */
  country: string;
  rings: Ring[];
  area: number;
  west: number;
  south: number;
  east: number;
  north: number;
}

const require = createRequire(import.meta.url);
const world: Parameters<typeof feature>[0] = JSON.parse(
  readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8'),
);

/** Joined into one piece across the date line. */
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

/** All land except Antarctica, by country (Natural Earth). */
export const lands: Land[] = countries.features.flatMap(({ id, geometry }) => {
  const country = (id !== undefined && new Intl.Locale(`und-${id}`).region) || '';
  if (country === 'AQ') return [];
  if (geometry?.type === 'Polygon') return [landOf(country, geometry.coordinates)];
  if (geometry?.type !== 'MultiPolygon') return [];
  return geometry.coordinates.map((polygon) => landOf(country, polygon));
});
