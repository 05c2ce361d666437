import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Coordinates,
  offsetPoint,
} from '../../../../worker/phone-lookup/rules/city-offset.ts';

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres (haversine). */
function apart(a: Coordinates, b: Coordinates): number {
  const [lat, lng] = [radians(b.lat - a.lat), radians(b.lng - a.lng)];
  const chord =
    Math.sin(lat / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(lng / 2) ** 2;
  return 2 * 6_371_000 * Math.asin(Math.sqrt(chord));
}

const point = fc.record({
  lat: fc.double({ min: -85, max: 85, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});

test('city offset: any point is moved by 3 km and stays valid', () => {
  fc.assert(
    fc.property(point, fc.string(), (city, name) => {
      const shown = offsetPoint(city, name);
      expect(Math.abs(apart(city, shown) - 3000)).toBeLessThan(1);
      expect(Math.abs(shown.lng)).toBeLessThanOrEqual(180);
    }),
  );
});

test('city offset: the name fixes the direction', () => {
  const berlin = { lat: 52.5244, lng: 13.4105 };
  expect(offsetPoint(berlin, 'DE/berlin')).toEqual(offsetPoint(berlin, 'DE/berlin'));
  // Another direction would give the city away, where both circles meet.
  const shown = offsetPoint(berlin, 'DE/berlin');
  expect([shown.lat, shown.lng]).toEqual([
    expect.closeTo(52.53577, 5),
    expect.closeTo(13.45072, 5),
  ]);
  const ways = ['a', 'b', 'c', 'd'].map((name) => offsetPoint(berlin, name).lat);
  expect(new Set(ways).size).toBe(4);
});
