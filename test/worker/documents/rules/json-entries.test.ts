import { expect, test } from 'vitest';
import { repeatedNames } from '../../../../worker/documents/rules/json-entries.ts';

test('JSON entries: a repeated name is found with the line of the second one', () => {
  const text = `{
    "a": [{ "x": 1 }, { "x": 2 }],
    "b.c": 1, "b": { "c": "\\"b\\": 1" },
    "\\u0061": [{ "x": 3 }]
  }`;
  expect(repeatedNames(text)).toEqual([{ path: 'a', reason: 'written again in line 4' }]);
});
