import { afterEach, expect, test, vi } from 'vitest';
import {
  isPlainResponse,
  NetworkAmbiguousError,
  postJson,
} from '../../../../worker/analytics/ad-networks/types.ts';

afterEach(() => void vi.unstubAllGlobals());

test('ad networks: an unreachable network is ambiguous, and the error quotes nothing', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('could not reach https://x.test/?secret');
  });
  const error = await postJson('https://x.test/', {}).catch((thrown) => thrown);
  expect([error instanceof NetworkAmbiguousError, error.message]).toEqual([true, 'TypeError']);
});

test.each([
  ['', true],
  ['success', true],
  ['{"code":200}', true],
  ['<html>', false],
  ['\r\n <!doctype html>', false],
])('ad networks: the response %j is plain: %s', async (text, plain) => {
  expect(await isPlainResponse(new Response(text))).toBe(plain);
});

test('ad networks: a response that breaks off is not plain', async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('off')) });
  expect(await isPlainResponse(new Response(broken))).toBe(false);
});
