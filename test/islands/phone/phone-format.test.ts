import { expect, it } from 'vitest';
import { callingCodeIn } from '../../../islands/phone/countries.ts';
import { rulesIn } from '../../../islands/phone/phone-format.ts';
import { numberingSlices } from '../../../scripts/build/places/numbering-data.ts';

const slices = numberingSlices();
const rules = (calling: string) => rulesIn(JSON.parse(slices.get(calling) ?? ''));

it.each([
  ['442079460958', 'GB', '020 7946 0958'],
  ['447624300000', 'IM', '07624 300000'],
  ['14165550123', 'CA', '(416) 555-0123'],
  ['12125550100', 'US', '(212) 555-0100'],
  ['4915123456789', 'DE', '01512 3456789'],
  ['390612345678', 'IT', '06 1234 5678'],
  ['5511912345678', 'BR', '(11) 91234-5678'],
])('phone format: +%s belongs to %s: %s', (digits, country, national) => {
  expect(rules(callingCodeIn(digits)).read(digits)).toEqual({ country, national });
});

it('phone format: rejects numbers that are too short or too long', () => {
  expect(rules('1').read('1212')).toBeNull();
  expect(rules('44').read('44207946095812345')).toBeNull();
});

it('phone format: formats a plus, and has the groups of the countries in its slice', () => {
  expect(rules('44').format('+442079460958')).toBe('+44 20 7946 0958');
  expect(rules('1').groups('CA')).toBe('1;310~ xxx-xxxx;[2-9]~ (xxx) xxx-xxxx');
  expect(rules('44').groups('US')).toBeUndefined();
});

it.each([
  ['(212) 555-0100', true],
  ['(999) 123-4567', true],
  ['212 555', false],
  ['212 555 0100 99', false],
])('phone format: %s may be American: %s', (text, may) => {
  expect(rules('1').isPossible(text, 'US')).toBe(may);
});

it.each([
  ['1', 'US', '(201) 555-0123'],
  ['44', 'GB', '07400 123456'],
  ['44', 'US', ''],
])('phone format: +%s is shown in %s as an example: %s', (calling, country, example) => {
  expect(rules(calling).example(country)).toBe(example);
});
