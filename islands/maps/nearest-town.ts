import { type AreaDrawing, type Point, placeOn } from './area-drawing.ts';

/** Map units of 1.2 km: 60 km. */
const near = 49;

/** The nearest town on a map; null when none is within 60 km. */
export function nearestTown({ towns }: AreaDrawing, point: Point): string | null {
  const [x, y] = placeOn(point);
  const far = ([, townX, townY]: AreaDrawing['towns'][number]) => Math.hypot(townX - x, townY - y);
  const [first] = towns.filter((town) => far(town) <= near).sort((a, b) => far(a) - far(b));
  return first?.[0] ?? null;
}
