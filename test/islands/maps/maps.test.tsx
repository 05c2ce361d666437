import fc from 'fast-check';
import { expect, it } from 'vitest';
import { box, drawingAt, middleOf, placeOn } from '../../../islands/maps/area-drawing.ts';
import { AreaMap } from '../../../islands/maps/area-map.tsx';
import { nearestTown, SharedLocation } from '../../../islands/maps/shared-location.tsx';
import { agoText, distanceText } from '../../../locales/format/date-text.ts';
import { htmlOf, text, wordsOf } from '../render-html.tsx';

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

const mapWords = { caption: 'Approximate area.', credit: 'GeoNames' };
const areaDrawing = {
  land: 'M0 0l9 0 0 9z',
  towns: [
    ['Potsdam', -90, 20],
    ['Cottbus', 60, 40],
  ] as [string, number, number][],
};

it('area map: reserves its space while loading', () => {
  const html = htmlOf(<AreaMap drawing={null} placeName="" {...mapWords} />);
  expect(html).toMatch(/class="[^"]*box/);
  expect(wordsOf(html)).toBe('');
});

it('area map: names area, place and attribution', () => {
  const point = { lat: 52.5, lng: 13.4 };
  const html = htmlOf(
    <AreaMap drawing={areaDrawing} point={point} placeName="Berlin" {...mapWords} />,
  );
  expect(html).toContain('aria-label="Approximate area. Berlin"');
  expect(wordsOf(html)).toBe('Potsdam Cottbus Berlin Approximate area. GeoNames');
  expect(html).toContain('r="34"');
  const alone = { ...areaDrawing, towns: areaDrawing.towns.slice(1) };
  const one = <AreaMap drawing={alone} point={point} placeName="Berlin" {...mapWords} />;
  expect(wordsOf(htmlOf(one))).toBe('Berlin Approximate area. GeoNames');
});

it('area map: shows a country without a place', () => {
  const whole = { ...drawing, home: 'M1 1l9 0 0 9z' };
  const html = htmlOf(<AreaMap drawing={whole} placeName="Germany" {...mapWords} />);
  expect(html).toContain('viewBox="0 0 343 180"');
  expect(html).not.toContain('r="34"');
  expect(html.match(/M1 1l9 0 0 9z/g)).toHaveLength(2);
});

const place = { latitude: 52.52, longitude: 13.405, accuracy: 200, at: Date.UTC(2026, 10, 21, 11) };
/** The place is 5 units left of the middle of its drawing, and 2 above it. */
const town = (name: string, x: number, y: number): [string, number, number] => [name, x, y];
const drawing = { land: 'M0 0', towns: [town('Werder', 20, 10), town('Berlin', -8, -1)] };
const draw = (known: typeof drawing | null) =>
  htmlOf(
    <SharedLocation
      text={text['invite-panel']}
      language="en"
      position={place}
      drawing={known}
      source={null}
    />,
  );

it('location map: names the nearest town within range', () => {
  const point = { lat: place.latitude, lng: place.longitude };
  expect(nearestTown(drawing, point)).toBe('Berlin');
  expect(nearestTown({ land: '', towns: [town('Prague', 60, 130)] }, point)).toBeNull();
});

it('location map: describes the map in text, also without a map', () => {
  const drawn = draw(drawing);
  expect(drawn).toMatch(/<svg[^>]*role="img" aria-label="Near Berlin, /);
  expect(wordsOf(drawn)).toMatch(/to about 660 feet .*Map: Natural Earth\./);
  expect(draw(null)).not.toContain('<svg');
  expect(wordsOf(draw(null))).toMatch(/to about 660 feet Open in Maps$/);
});

it('location map: the requester sees the region first, can request Google’s streets, and gets no coordinates as text', () => {
  const own = (source: 'tiles' | 'google' | null) =>
    htmlOf(
      <SharedLocation
        text={text['invite-panel']}
        language="en"
        position={place}
        drawing={drawing}
        source={source}
        isOwn
      />,
    );
  expect(wordsOf(own('tiles'))).toMatch(/Map: Natural Earth\..* Open in Maps$/);
  expect(wordsOf(own('google'))).toMatch(/Show the streets .*Google learns this place and your IP/);
  expect(wordsOf(own('tiles'))).not.toContain('Google');
  for (const source of ['tiles', null] as const)
    expect(wordsOf(own(source))).not.toContain('Show the streets');
  expect(wordsOf(own('tiles'))).not.toMatch(/\d+\.\d{2}/);
  expect(own('tiles')).toMatch(/href="https:[^"]*52\.520%2C13\.405"[^>]* rel="noreferrer"/);
});

it('location map: says how long ago, and the day after 24 hours', () => {
  const now = Date.parse('2026-11-21T12:00Z');
  const ago = (minutes: number, language = 'en') => agoText(now - minutes * 60_000, language, now);
  expect([ago(0), ago(2), ago(180), ago(2, 'ar')]).toEqual([
    expect.stringMatching(/^\d+:00.* · now$/),
    expect.stringMatching(/ · 2\u00a0minutes\u00a0ago$/),
    expect.stringMatching(/ · 3\u00a0hours\u00a0ago$/),
    expect.stringMatching(/2|دقيقتين/),
  ]);
  expect(ago(24 * 60)).toMatch(/^November\u00a020 at\u00a0/);
});

it('location map: formats distances by language with digits 0 to 9', () => {
  expect(distanceText(300, 'de')).toBe('300\u00a0Meter');
  expect(distanceText(1500, 'en-GB')).toBe('1.5\u00a0kilometres');
  expect(distanceText(1500, 'en')).toBe('0.93\u00a0miles');
  expect(distanceText(100, 'en')).toBe('330\u00a0feet');
  expect(distanceText(300, 'ar')).toMatch(/300/);
});
