import fc from 'fast-check';
import { expect, test } from 'vitest';
import { events, readProperties } from '../../../../worker/analytics/rules/event-schema.ts';
import { screenIds } from '../../../../worker/experiments/rules/flows.ts';

/** The events named in the specification and the readings. */
const named = [
  'onboarding_start lead checkout_screen_load upsell_purchase_completed processing_started',
  'session_start subs_purchase_show subs_purchase_started subs_purchase_completed',
  'subs_purchase_failed payment_successful_popup subs_purchase_screen_close flow_entry',
  'load click screen__load button__continue button__scroll link__redirect option__redirect',
];

test.each(named.join(' ').split(' '))('event schema: %s is documented', (name) => {
  expect(readProperties(name, {})).toEqual({});
  expect(events[name as keyof typeof events].when).toMatch(/^[a-zC].{10,}/);
});

test('event schema: each screen has its two events', () => {
  for (const screen of screenIds) {
    expect(readProperties(`${screen}__load`, { screen_name: screen, target: 'a' })).toEqual({
      screen_name: screen,
    });
    expect(readProperties(`${screen}__click`, { target: 'form.continue-button' })).toEqual({
      target: 'form.continue-button',
    });
  }
});

test.each(['', 'purchase', '__proto__', 'toString', 'A__load', '__load', 'x__hover', 'a b__load'])(
  'event schema: the name %j is not an event',
  (name) => expect(readProperties(name, {})).toBeNull(),
);

const personal = [
  'ada@example.com',
  '+4915123456789',
  '4915123456789',
  '0151 2345678',
  'Ada Lovelace',
  'eyJhbGciOi.J9.x y',
];

test.each(personal)('event schema: the property %j belongs to no event', (value) => {
  for (const [name, { properties }] of Object.entries(events)) {
    const reported = Object.fromEntries(Object.keys(properties).map((key) => [key, value]));
    const sentNames = Object.keys(readProperties(name, { ...reported, screen_name: value }) ?? {});
    // A campaign's id is digits alone, and so are those of a phone number without its plus.
    const campaign = /^\d+$/.test(value) ? /^utm_/ : /^$/;
    expect(sentNames.filter((key) => !campaign.test(key))).toEqual([]);
  }
});

test.each(['1234567', '120210334455667', '23851234567890123456', 'spring|US|2026-11-21', 'fb/cpc'])(
  'event schema: the campaign %j is recorded',
  (utm_campaign) =>
    expect(readProperties('session_start', { utm_campaign })).toEqual({ utm_campaign }),
);

test.each(['212-555-0100', '0151/12345678', '015112345678', '00491512345678', 'Ada Lovelace'])(
  'event schema: the campaign %j is dropped, because it could be personal data',
  (utm_content) => expect(readProperties('session_start', { utm_content })).toEqual({}),
);

test('event schema: accepted properties have the declared kind', () => {
  const names = fc.constantFrom(...(Object.keys(events) as (keyof typeof events)[]));
  const reported = fc.dictionary(fc.constantFrom('plan', 'price', 'target', 'x'), fc.anything());
  fc.assert(
    fc.property(names, reported, (name, properties) => {
      const read = readProperties(name, properties) ?? {};
      const known = Object.keys(events[name].properties);
      return Object.entries(read).every(
        ([key, value]) =>
          known.includes(key) &&
          (typeof value === 'number' ? Number.isFinite(value) : /^[\w./:-]{1,128}$/.test(value)),
      );
    }),
  );
});

test.each<[string, string, unknown, boolean]>([
  ['a word of 128', 'target', 'a'.repeat(128), true],
  ['a word of 129', 'target', 'a'.repeat(129), false],
  ['a word with six digits in a row', 'target', 'a123456', true],
  ['a word with seven digits in a row', 'target', 'a1234567', false],
  ['a number as a word', 'target', 5, false],
  ['an empty word', 'target', '', false],
])('event schema: the value %s is sent: %s', (_, key, value, sent) => {
  expect(readProperties('click', { [key]: value })).toEqual(sent ? { [key]: value } : {});
});

test.each<[string, unknown, boolean]>([
  ['a campaign of 128', 'a'.repeat(128), true],
  ['a campaign of 129', 'a'.repeat(129), false],
  ['a number as a campaign', 5, false],
  ['a campaign with a tilde and a bar', 'a~b|c', true],
])('event schema: the campaign value %s is sent: %s', (_, utm_term, sent) => {
  expect(readProperties('session_start', { utm_term })).toEqual(sent ? { utm_term } : {});
});

test.each<[string, Record<string, unknown>, boolean]>([
  ['an id', { sub_id: 'sub_1Nv0FGQ9RKHgCVdK' }, true],
  ['an id of 128', { sub_id: 'a'.repeat(128) }, true],
  ['an id of 129', { sub_id: 'a'.repeat(129) }, false],
  ['bare digits as an id', { sub_id: '4915123456789' }, false],
  ['a number as an id', { sub_id: 5 }, false],
  ['a price', { price: 39.99 }, true],
  ['a price of nothing', { price: 0 }, true],
  ['a price in words', { price: '39.99' }, false],
  ['an endless price', { price: Number.POSITIVE_INFINITY }, false],
  ['no number as a price', { price: Number.NaN }, false],
])('event schema: the purchase property %s is sent: %s', (_, properties, sent) => {
  expect(readProperties('subs_purchase_completed', properties)).toEqual(sent ? properties : {});
});

test('event schema: an inherited property is not sent', () =>
  expect(readProperties('click', Object.create({ target: 'a' }))).toEqual({}));

test('event schema: a screen’s name has 2 to 61 characters', () => {
  const known = (length: number) => readProperties(`${'a'.repeat(length)}__click`, {}) !== null;
  expect([1, 2, 61, 62].map(known)).toEqual([false, true, true, false]);
});
