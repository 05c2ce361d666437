import { afterEach, expect, test, vi } from 'vitest';
import { callBraintree } from '../../../../../worker/payments/gateways/braintree/braintree-line.ts';

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
  expect(await (await callBraintree('https://b.example', {}, 'repeatable')).text()).toBe('last');
  expect(fetch).toHaveBeenCalledTimes(3);
  line(lost(), lost(), lost());
  await expect(callBraintree('https://b.example', {}, 'repeatable')).rejects.toThrow('lost');
});

test('an answer is an answer, whatever it says', async () => {
  const fetch = line(new Response('', { status: 503 }));
  expect((await callBraintree('https://b.example', {}, 'repeatable')).status).toBe(503);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a call that must not be sent twice is not repeated', async () => {
  const fetch = line(lost());
  await expect(callBraintree('https://b.example', {}, 'once')).rejects.toThrow('lost');
  expect(fetch).toHaveBeenCalledTimes(1);
});
