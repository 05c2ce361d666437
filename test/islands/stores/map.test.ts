import { beforeEach, expect, it } from 'vitest';
import { looksLikePhone } from '../../../islands/phone/dialled-digits.ts';
import { setNumberData, setPhone } from '../../../islands/phone/entered-phone.ts';
import { $map, rejectPhone } from '../../../islands/stores/map.ts';

const defaults = $map.get();
beforeEach(() => $map.set(defaults));

it.each([
  ['1234', true],
  ['+1 (212) 555-01.00', true],
  ['٠١٢٣٤٥٦', true],
  ['123456789012345', true],
  ['12345678901234567890123', true],
  ['123456789012345678901234', false],
  ['123', false],
  ['', false],
  ['12345a', false],
  ['call me', false],
])('map store: %s can be a number: %s', (typed, can) => {
  expect(looksLikePhone(typed)).toBe(can);
});

const facts = {
  country: 'US',
  country_name: 'United States',
  calling_code: '1',
  carrier: null,
  timezone: null,
  city: null,
  type: null,
  number: '+1 212 555 0100',
};

it('map store: keeps a refused number', () => {
  setPhone('212555', 'US');
  rejectPhone('Phone number is incorrect');
  expect($map.get()).toMatchObject({
    phone: '212555',
    country: 'US',
    phoneError: 'Phone number is incorrect',
  });
});

it('map store: uses the international format and clears old facts with a new number', () => {
  setPhone('2125550100', 'US');
  setNumberData(facts);
  expect($map.get()).toMatchObject({ phone: '+1 212 555 0100', numberData: facts, phoneError: '' });
  setPhone('30123', 'DE');
  expect($map.get()).toMatchObject({ phone: '30123', country: 'DE', numberData: null });
});
