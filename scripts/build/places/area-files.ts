import {
  type AreaDrawing,
  type AreaPoint,
  box,
  drawingAt,
  middleOf,
  northing,
  radians,
  scaleOf,
} from '../../../islands/maps/area-drawing.ts';
import {
  type Frame,
  type Land,
  lands,
  onPaper,
  pathOf,
  type Ring,
  type Spot,
  townsOn,
} from './svg-paths.ts';

import { type City, cities } from './town-labels.ts';

const around = 2 * Math.PI;

interface Placed extends City {
  /** In Mercator's projection, in radians. */
  x: number;
  y: number;
}

/** The list has English names for some cities, and local ones for their neighbours. */
const localNames: Record<string, string> = {
  'AT Vienna': 'Wien',
  'BE Brussels': 'Bruxelles',
  'CH Geneva': 'Genève',
  'CZ Prague': 'Praha',
  'DE Munich': 'München',
  'DK Copenhagen': 'København',
  'IT Florence': 'Firenze',
  'IT Genoa': 'Genova',
  'IT Milan': 'Milano',
  'IT Naples': 'Napoli',
  'IT Rome': 'Roma',
  'IT Turin': 'Torino',
  'IT Venice': 'Venezia',
  'NL The Hague': 'Den Haag',
  'PL Warsaw': 'Warszawa',
  'PT Lisbon': 'Lisboa',
  'RO Bucharest': 'București',
  'RS Belgrade': 'Beograd',
  'TR Istanbul': 'İstanbul',
};

const largest: Placed[] = cities
  .map((city) => ({
    ...city,
    name: localNames[`${city.country} ${city.name}`] ?? city.name,
    x: radians(city.lng),
    y: northing(city.lat),
  }))
  .sort((a, b) => b.population - a.population);

const ofCountry = Map.groupBy(largest, ({ country }) => country);
const ofCell = Map.groupBy(largest, drawingAt);

function citiesAround({ lat, lng }: AreaPoint, by: AreaPoint): Placed[] {
  const near: Placed[] = [];
  for (let row = lat - by.lat - 3; row <= lat + by.lat + 3; row += 3) {
    for (let column = lng - by.lng - 3; column <= lng + by.lng + 3; column += 3) {
      const turned = ((column + 540) % 360) - 180;
      near.push(...(ofCell.get(drawingAt({ lat: row, lng: turned })) ?? []));
    }
  }
  return near.sort((a, b) => b.population - a.population);
}

/** Land that may extend into a frame, also across the date line. */
function ringsIn(some: Land[], { west, south, east, north }: Frame): Ring[] {
  return some.flatMap((land) =>
    [-around, 0, around].flatMap((turn) => {
      if (land.west + turn > east || land.east + turn < west) return [];
      if (land.south > north || land.north < south) return [];
      if (turn === 0) return land.rings;
      return land.rings.map((ring) => ring.map(([x, y]): Spot => [x + turn, y]));
    }),
  );
}

function frameAround(origin: Spot, scale: number, width: number, height: number): Frame {
  const [x, y] = origin;
  return {
    west: x - width / scale,
    east: x + width / scale,
    south: y - height / scale,
    north: y + height / scale,
    scale,
    origin,
  };
}

/** Converts to paper coordinates; null outside the frame. */
const placing =
  (frame: Frame) =>
  ({ x, y }: Placed) => {
    for (const turn of [-around, 0, around]) {
      if (x + turn > frame.west && x + turn < frame.east && y > frame.south && y < frame.north) {
        return onPaper(frame, [x + turn, y]);
      }
    }
    return null;
  };

function partOfTheGlobe(middle: AreaPoint): AreaDrawing {
  const scale = scaleOf(middle);
  const origin: Spot = [radians(middle.lng), northing(middle.lat)];
  const reach = (degrees: number) => northing(middle.lat + degrees) - origin[1];
  const height = scale * Math.max(reach(1.55), -reach(-1.55)) + box.height / 2 + 8;
  const width = scale * radians(1.6) + box.width / 2 + 8;
  const frame = frameAround(origin, scale, width, height);
  const by = { lat: 4, lng: (180 * width) / scale / Math.PI };
  return {
    land: pathOf(ringsIn(lands, frame), frame),
    towns: townsOn(citiesAround(middle, by), placing(frame), 14),
  };
}

/** Largest scale of a country, in units per km. */
const nearest = 2.5;

/** A country in the middle of the box. Small distant parts may be cut off. */
function wholeCountry(country: string): AreaDrawing {
  const parts = lands.filter((one) => one.country === country).sort((a, b) => b.area - a.area);
  const main = parts.filter(({ area }) => area > 0.2 * (parts[0]?.area ?? 0));
  const side = (pick: (...values: number[]) => number, of: keyof Omit<Land, 'country' | 'rings'>) =>
    pick(...main.map((one) => one[of]));
  const [west, east] = [side(Math.min, 'west'), side(Math.max, 'east')];
  const [south, north] = [side(Math.min, 'south'), side(Math.max, 'north')];
  const fit = Math.min((box.width - 32) / (east - west), (box.height - 32) / (north - south));
  const middle: Spot = [(west + east) / 2, (south + north) / 2];
  const scale = Math.min(fit, (nearest * 6371) / Math.cosh(middle[1]));
  const corner: Spot = [middle[0] - box.width / 2 / scale, middle[1] + box.height / 2 / scale];
  const frame = { ...frameAround(middle, scale, box.width / 2, box.height / 2), origin: corner };
  const place = placing(frame);
  const readable = (city: Placed) => {
    const at = place(city);
    return at && at[0] > 8 && at[0] < 250 && at[1] > 14 && at[1] < 166 ? at : null;
  };
  const own = ofCountry.get(country) ?? [];
  const others = lands.filter((one) => one.country !== country);
  return {
    land: pathOf(ringsIn(others, frame), frame),
    home: pathOf(ringsIn(parts, frame), frame),
    towns: townsOn(own, readable, 3),
  };
}

/** JSON by name for every part of the globe that has a city and for every country. */
export function areas(): Map<string, string> {
  const drawings = new Map<string, string>();
  for (const { lat, lng } of cities) {
    // A displayed city is moved by up to 3 km, possibly into the next drawing.
    for (const by of [-0.03, 0.03]) {
      const point = { lat: lat + by, lng: lng + 2 * by };
      const name = drawingAt(point);
      if (!drawings.has(name)) drawings.set(name, JSON.stringify(partOfTheGlobe(middleOf(point))));
    }
  }
  for (const country of new Set(lands.map((one) => one.country))) {
    if (country) drawings.set(country, JSON.stringify(wholeCountry(country)));
  }
  return drawings;
}
