import { expect, test } from 'vitest';
import {
  childOf,
  listOf,
  parseXml,
  textOf,
} from '../../../../../worker/payments/gateways/braintree/xml.ts';

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<subscription>
  <id>a &amp; b &#8364;&#x20AC;</id>
  <failure-count type="integer">3</failure-count>
  <trial-period type="boolean">true</trial-period>
  <never-expires type="boolean">false</never-expires>
  <next-billing-date type="date">2026-01-31</next-billing-date>
  <order-id nil="true"/>
  <descriptor><name nil="true"/></descriptor>
  <transactions type="array">
    <transaction><id>one</id></transaction>
    <transaction><id>two</id></transaction>
  </transactions>
  <add-ons type="array"/>
  <empty></empty>
</subscription>`;

test('Braintree XML: types, lists, nulls and entities are parsed', () => {
  expect(parseXml(xml)).toEqual({
    subscription: {
      id: 'a & b €€',
      'failure-count': 3,
      'trial-period': true,
      'never-expires': false,
      'next-billing-date': '2026-01-31',
      'order-id': null,
      descriptor: { name: null },
      transactions: [{ id: 'one' }, { id: 'two' }],
      'add-ons': [],
      empty: '',
    },
  });
});

test('Braintree XML: a path that ends early finds nothing', () => {
  const found = parseXml(xml);
  expect(textOf(found, 'subscription', 'failure-count')).toBe('3');
  expect(textOf(found, 'subscription', 'order-id', 'name')).toBe('');
  expect(textOf(found, 'subscription', 'transactions')).toBe('');
  expect(listOf(found, 'subscription', 'id')).toEqual([]);
  expect(childOf(found, 'subscription', 'nothing')).toBeUndefined();
});

test.each(['', '<a>', '<a></b>', '<a/><b/>', '<a><b></a></b>', 'text'])(
  'Braintree XML: malformed input throws: %j',
  (broken) => {
    expect(() => parseXml(broken)).toThrow(SyntaxError);
  },
);
