import { expect, it } from 'vitest';
import { nearestTown } from '../../../islands/maps/nearest-town.ts';
import { SharedLocation } from '../../../islands/maps/shared-location.tsx';
import { distanceText } from '../../../locales/format/date-text.ts';
import { htmlOf, text, wordsOf } from '../html.tsx';

const place = { latitude: 52.52, longitude: 13.405, accuracy: 200, at: Date.UTC(2026, 10, 21, 11) };
/** The place is 5 units left of the middle of its drawing, and 2 above it. */
const town = (name: string, x: number, y: number): [string, number, number] => [name, x, y];
const drawing = { land: 'M0 0', towns: [town('Werder', 20, 10), town('Berlin', -8, -1)] };
const draw = (known: typeof drawing | null) =>
  htmlOf(
    <SharedLocation
      text={text['invitee-response']}
      language="en"
      position={place}
      drawing={known}
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
  expect(wordsOf(drawn)).toContain('to about 200 meters 52.520, 13.405 Map: Natural Earth.');
  expect(draw(null)).not.toContain('<svg');
  expect(wordsOf(draw(null))).toMatch(/to about 200 meters 52\.520, 13\.405$/);
});

it('location map: formats distances by language with digits 0 to 9', () => {
  expect(distanceText(300, 'de')).toBe('300 Meter');
  expect(distanceText(1500, 'en')).toBe('1.5 kilometers');
  expect(distanceText(300, 'ar')).toMatch(/300/);
});
