import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { callingCodeIn, callingCodeOf, countriesIn } from '../../../islands/phone/countries.ts';
import { LookupSteps } from '../../../islands/phone/lookup-steps.tsx';
import { numberFactsOf, stepsOf } from '../../../islands/phone/number-facts.tsx';
import { htmlOf, text, wordsOf } from '../render-html.tsx';

it('countries: match those of libphonenumber with their calling codes', () => {
  const ours = new Map(countriesIn('en').map(({ code, calling }) => [code, calling]));
  for (const code of getCountries())
    expect([code, ours.get(code), callingCodeOf(code)]).toEqual([
      code,
      getCountryCallingCode(code),
      getCountryCallingCode(code),
    ]);
  expect(ours.size).toBe(getCountries().length);
  expect([callingCodeOf('XX'), callingCodeIn('999'), callingCodeIn('')]).toEqual(['', '', '']);
});

it('countries: are sorted by the language', () => {
  const names = countriesIn('de').map(({ name }) => name);
  expect(names.indexOf('Ägypten')).toBeLessThan(names.indexOf('Albanien'));
});

const words = text['search-progress'];
const data = {
  country: 'US',
  country_name: 'United States',
  calling_code: '1',
  carrier: null,
  timezone: 'America/New_York',
  city: 'New York, NY',
  type: 'fixed_line',
  number: '+1 212-555-0100',
};

const shown = (...[found, done]: [Parameters<typeof stepsOf>[0], number]) =>
  htmlOf(<LookupSteps label="" steps={stepsOf(found, words)} done={done} meter="none" />);

it('lookup steps: a step that found nothing keeps its text, and only the others are ticked', () => {
  const html = shown(data, 3);
  expect(wordsOf(html)).toBe(
    'Reading the number Identifying the carrier Checking the region Preparing the invitation',
  );
  expect(html.match(/data-state="none"/g)).toHaveLength(1);
  expect(html.match(/data-state="done"/g)).toHaveLength(2);
});

it('lookup steps: a running step shows its own text', () => {
  expect(wordsOf(shown(data, 1))).toContain('Identifying the carrier');
  expect(wordsOf(shown(null, 0))).toContain('Identifying the carrier');
});

it('lookup steps: found steps are ticked', () => {
  const html = shown({ ...data, carrier: 'Three' }, 4);
  expect(html.match(/data-state="done"/g)).toHaveLength(4);
});

it('lookup steps: an unknown region is not ticked', () => {
  const nowhere = { ...data, country: null, country_name: null, timezone: null, city: null };
  expect(shown(nowhere, 3).match(/data-state="none"/g)).toHaveLength(2);
});

it('number facts: say where the number is from, the time there, and its carrier if one is listed', () => {
  const facts = numberFactsOf(data, words, 'en');
  expect(facts).toEqual([
    ['Number registered in', 'New York, NY'],
    ['Local time there', expect.stringMatching(/^\d+:\d\d.[AP]M$/)],
  ]);
  const carrier = numberFactsOf({ ...data, carrier: 'Three' }, words, 'en').at(-1);
  expect(carrier).toEqual(['Carrier', 'Three']);
  expect(numberFactsOf({ ...data, city: null }, words, 'en')).toEqual([
    ['Number registered in', 'United States'],
    ['Local time there', expect.stringMatching(/^\d.*Eastern Time$/)],
  ]);
});
