import { afterEach, expect, test, vi } from 'vitest';
import { callBraintree } from '../../../worker/vendors/braintree-line.ts';

afterEach(() => void vi.unstubAllGlobals());

function line(...answers: (Response | Error)[]) {
  const fetch = vi.fn(async () => {
    const next = answers.shift() ?? new Response('last');
    if (next instanceof Error) throw next;
    return next;
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
const lost = () => new TypeError('network connection lost');

test('a call without a reply is repeated, twice at most', async () => {
  const fetch = line(lost(), lost());
  expect(await (await callBraintree('https://b.example', {})).text()).toBe('last');
  expect(fetch).toHaveBeenCalledTimes(3);
  line(lost(), lost(), lost());
  await expect(callBraintree('https://b.example', {})).rejects.toThrow('lost');
});

test('an answer is an answer, whatever it says', async () => {
  const fetch = line(new Response('', { status: 503 }));
  expect((await callBraintree('https://b.example', {})).status).toBe(503);
  expect(fetch).toHaveBeenCalledTimes(1);
});
