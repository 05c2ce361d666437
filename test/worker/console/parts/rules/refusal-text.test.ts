import { expect, test } from 'vitest';
import { refusalText } from '../../../../../worker/console/parts/rules/refusal-text.ts';
import { statuses } from '../../../../../worker/platform/errors.ts';

test('refusal text: every error code has a text, unknown codes have none', () => {
  const texts = Object.keys(statuses).map((code) => refusalText(code) ?? code);
  expect(texts.filter((text) => !/^[A-Z].* .*[.!?]$/.test(text) && !/ /.test(text))).toEqual([]);
  expect(texts.join(' ')).not.toMatch(/[a-z]_[a-z]/);
  for (const text of ['refunded 1 USD', 'toString', '']) expect(refusalText(text)).toBeUndefined();
});
