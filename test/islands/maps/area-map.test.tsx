import { expect, it } from 'vitest';
import { AreaMap } from '../../../islands/maps/area-map.tsx';
import { htmlOf, wordsOf } from '../html.tsx';

const words = { caption: 'Approximate area.', credit: 'GeoNames' };
const drawing = {
  land: 'M0 0l9 0 0 9z',
  towns: [['Potsdam', -90, 60] as [string, number, number]],
};

it('area map: reserves its space while loading', () => {
  const html = htmlOf(<AreaMap drawing={null} placeName="" {...words} busy />);
  expect(html).toMatch(/class="[^"]*box/);
  expect(wordsOf(html)).toBe('');
});

it('area map: names area, place and attribution', () => {
  const point = { lat: 52.5, lng: 13.4 };
  const html = htmlOf(<AreaMap drawing={drawing} point={point} placeName="Berlin" {...words} />);
  expect(html).toContain('aria-label="Approximate area. Berlin"');
  expect(wordsOf(html)).toBe('Potsdam Berlin Approximate area. GeoNames');
  expect(html).toContain('r="34"');
});

it('area map: shows a country without a place', () => {
  const whole = { ...drawing, home: 'M1 1l9 0 0 9z' };
  const html = htmlOf(<AreaMap drawing={whole} placeName="Germany" {...words} />);
  expect(html).toContain('viewBox="0 0 343 180"');
  expect(html).not.toContain('r="34"');
  expect(html.match(/M1 1l9 0 0 9z/g)).toHaveLength(2);
});
