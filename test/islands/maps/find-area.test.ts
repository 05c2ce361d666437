import { beforeEach, expect, it, vi } from 'vitest';
import { areaFile } from '../../../islands/maps/area-drawing.ts';
import { findArea } from '../../../islands/maps/find-area.ts';
import { setPhone } from '../../../islands/phone/entered-phone.ts';
import { $map } from '../../../islands/stores/map.ts';

const berlin = { lat: 52.5, lng: 13.4 };
const number = {
  country: 'DE',
  country_name: 'Germany',
  calling_code: '49',
  carrier: null,
  timezone: null,
  city: 'Berlin',
  type: null,
  number: '+49 30 12345678',
};
const answers = new Map<string, unknown>();
const requested: string[] = [];
const geocode = '/api/v1/geocode?city=Berlin&country=DE';
const found = { status: 'OK', results: [{ geometry: { location: berlin } }] };
const around = { land: 'M0 0', towns: [] };
const countryMap = { land: 'M1 1', home: 'M2 2', towns: [] };

beforeEach(() => {
  answers.clear();
  requested.length = 0;
  setPhone('', '');
  answers.set(areaFile('17_4'), around).set(areaFile('DE'), countryMap);
  vi.stubGlobal('fetch', async (path: string) => {
    requested.push(path);
    const answer = answers.get(path);
    return answer ? Response.json(answer) : Response.json({}, { status: 404 });
  });
});

it('find area: uses the geocoded place and stores it', async () => {
  answers.set(geocode, found);
  expect(await findArea(number)).toEqual({ drawing: around, local: true, failed: false });
  expect($map.get().initCoords).toEqual(berlin);
});

it('find area: uses the country when the number names no place', async () => {
  const area = await findArea({ ...number, city: null });
  expect(area).toEqual({ drawing: countryMap, local: false, failed: false });
  expect(requested).toEqual([areaFile('DE')]);
});

it.each([
  ['refuses', null],
  ['finds nothing', { status: 'ZERO_RESULTS', results: [] }],
  ['finds no result', { status: 'OK', results: [] }],
])('find area: uses the country and reports it when the geocoder %s', async (_what, answer) => {
  answers.set(geocode, answer);
  expect(await findArea(number)).toEqual({ drawing: countryMap, local: false, failed: true });
  expect($map.get().initCoords).toBeNull();
});

it('find area: is empty without a country or a map', async () => {
  const nothing = { drawing: null, local: false, failed: false };
  expect(await findArea({ ...number, country: null, city: null })).toEqual(nothing);
  answers.clear();
  expect(await findArea({ ...number, city: null })).toEqual(nothing);
});

it('find area: never sends the number', async () => {
  answers.set(geocode, found);
  await findArea(number);
  expect(requested.join()).not.toMatch(/12345678|%2B49/);
});
