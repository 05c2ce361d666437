import fc from 'fast-check';
import { expect, it } from 'vitest';
import { box, drawingAt, middleOf, placeOn } from '../../../islands/maps/area-drawing.ts';

it('area map: a point is at most 1.5 degrees from the centre of its map', () => {
  const point = fc.record({
    lat: fc.double({ min: -80, max: 80, noNaN: true }),
    lng: fc.double({ min: -179.9, max: 179.9, noNaN: true }),
  });
  fc.assert(
    fc.property(point, (one) => {
      const middle = middleOf(one);
      expect(Math.abs(middle.lat - one.lat)).toBeLessThanOrEqual(1.5);
      expect(drawingAt(middle)).toBe(drawingAt(one));
      expect(placeOn(middle)).toEqual([0, 0]);
    }),
  );
});

it('area map: is 420 km wide with north up', () => {
  const [x, y] = placeOn({ lat: 52.5, lng: 13.5 });
  const [east, north] = placeOn({ lat: 53.5, lng: 14.5 });
  const unitsPerKm = box.width / 420;
  expect((east - x) / unitsPerKm).toBeCloseTo(111.2 * Math.cos((52.5 * Math.PI) / 180), 0);
  expect(Math.abs((y - north) / unitsPerKm / 111.2 - 1)).toBeLessThan(0.03);
});
