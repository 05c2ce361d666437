import murmurhash from 'murmurhash';

/** Degrees. */
export interface Point {
  lat: number;
  lng: number;
}

/** Metres. */
const radius = 6_371_000;
const metres = 3000;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (angle: number) => (angle * 180) / Math.PI;

/**
 * A point 3000 m from another one, so that what is shown is an area and no address. Which way is
 * fixed by a name: asking again tells nothing more.
 */
export function offsetPoint({ lat, lng }: Point, name: string): Point {
  const way = radians((murmurhash.v3(name) % 36_000) / 100);
  const arc = metres / radius;
  const from = radians(lat);
  const sine = Math.sin(from) * Math.cos(arc) + Math.cos(from) * Math.sin(arc) * Math.cos(way);
  const east = Math.atan2(
    Math.sin(way) * Math.sin(arc) * Math.cos(from),
    Math.cos(arc) - Math.sin(from) * sine,
  );
  const around = lng + degrees(east);
  return { lat: degrees(Math.asin(sine)), lng: ((around + 540) % 360) - 180 };
}
