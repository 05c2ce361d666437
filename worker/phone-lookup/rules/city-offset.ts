import murmurhash from 'murmurhash';

export interface Coordinates {
  lat: number;
  lng: number;
}

const earthRadiusMetres = 6_371_000;
const offsetMetres = 3000;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (angle: number) => (angle * 180) / Math.PI;

/** 3 km away, so a map shows no address. The name fixes the direction, so requests reveal nothing more. */
export function offsetPoint({ lat, lng }: Coordinates, name: string): Coordinates {
  const bearing = radians((murmurhash.v3(name) % 36_000) / 100);
  const arc = offsetMetres / earthRadiusMetres;
  const from = radians(lat);
  const sine = Math.sin(from) * Math.cos(arc) + Math.cos(from) * Math.sin(arc) * Math.cos(bearing);
  const east = Math.atan2(
    Math.sin(bearing) * Math.sin(arc) * Math.cos(from),
    Math.cos(arc) - Math.sin(from) * sine,
  );
  const around = lng + degrees(east);
  return { lat: degrees(Math.asin(sine)), lng: ((around + 540) % 360) - 180 };
}
