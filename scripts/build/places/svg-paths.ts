import type { City } from './town-labels.ts';

export type Spot = readonly [x: number, y: number];
export type Ring = readonly Spot[];

/** The rectangle of a plane that is drawn, and the units that one of the plane's has on paper. */
export interface Frame {
  west: number;
  south: number;
  east: number;
  north: number;
  scale: number;
  /** What is at 0, 0 on paper. */
  origin: Spot;
}

/** Points nearer than this to the last one, and shapes smaller than this, are left out; units. */
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

/** The part of a ring within a frame (Sutherland and Hodgman: one side after the other). */
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

/** Where a spot of the plane is on paper, in units; north is up. */
export const onPaper = ({ scale, origin }: Frame, [x, y]: Spot): [x: number, y: number] => [
  scale * (x - origin[0]),
  scale * (origin[1] - y),
];

/** Path data of the part of rings within a frame, in whole units. */
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

/** The largest towns of a map whose names do not touch each other. */
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
