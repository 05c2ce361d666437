import { expect, it } from 'vitest';
import { rulesIn } from '../../../islands/phone/phone-format.ts';
import { numberingSlices } from '../../../scripts/build/places/numbering-data.ts';

const slices = numberingSlices();
const rules = (calling: string) => rulesIn(JSON.parse(slices.get(calling) ?? ''));

it('phone format: formats a plus, and has the groups of the countries in its slice', () => {
  expect(rules('44').format('+442079460958')).toBe('+44 20 7946 0958');
  expect(rules('1').groups('CA')).toBe('1;310~ xxx-xxxx;[2-9]~ (xxx) xxx-xxxx');
  expect(rules('44').groups('US')).toBeUndefined();
});

it.each([
  ['1', 'US', '(201) 555-0123'],
  ['44', 'GB', '07400 123456'],
  ['44', 'US', ''],
])('phone format: +%s is shown in %s as an example: %s', (calling, country, example) => {
  expect(rules(calling).example(country)).toBe(example);
});
