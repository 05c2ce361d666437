import { expect, test } from 'vitest';
import { isPlainResponse } from '../../../../worker/analytics/ad-networks/plain-answer.ts';

test.each([
  ['', true],
  ['success', true],
  ['{"code":200}', true],
  ['<html>', false],
  ['\r\n <!doctype html>', false],
])('%j is plain: %s', async (text, plain) => {
  expect(await isPlainResponse(new Response(text))).toBe(plain);
});

test('what breaks off is not plain', async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('off')) });
  expect(await isPlainResponse(new Response(broken))).toBe(false);
});
