import { expect, test } from 'vitest';
import {
  formatManualCode,
  manualCodeFor,
  parseManualCode,
} from '../../../worker/accounts/app-link-api.ts';
import type { AccountId } from '../../../worker/types.ts';

const secret = 'a secret of the tests, 32 characters';

test('manual code: eight unambiguous letters in two groups', async () => {
  const code = await manualCodeFor(secret, 'account' as AccountId, 'seed');
  expect(code).toMatch(/^[A-Z\d]{8}$/);
  expect(code).not.toMatch(/[0O1IL2Z5S8BU]/);
  expect(formatManualCode(code)).toBe(`${code.slice(0, 4)}-${code.slice(4)}`);
});

test('manual code: derived from account, seed and secret', async () => {
  const codes = await Promise.all([
    manualCodeFor(secret, 'account' as AccountId, 'seed'),
    manualCodeFor(secret, 'account' as AccountId, 'seed'),
    manualCodeFor(secret, 'account' as AccountId, 'other'),
    manualCodeFor(secret, 'other' as AccountId, 'seed'),
    manualCodeFor(`${secret}.`, 'account' as AccountId, 'seed'),
  ]);
  expect(new Set(codes).size).toBe(4);
});

test.each([
  ['ACDE-3467', 'ACDE3467'],
  ['acde 3467', 'ACDE3467'],
  [' acde – 3467 ', 'ACDE3467'],
  ['ACDE346', null],
  ['ACDE34677', null],
  ['ACDE346O', null],
  ['', null],
])('manual code: %j is parsed as %s', (typed, code) => {
  expect(parseManualCode(typed)).toBe(code);
});
