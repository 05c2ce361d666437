import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { appleFileKey } from '../../../../worker/payments/api/apple-pay-domain-api.ts';
import { request } from '../../request.ts';

const path = '/.well-known/apple-developer-merchantid-domain-association';

test('Apple Pay: the domain’s file is served as it was published', async () => {
  await env.FUNNEL.put(appleFileKey, '7B2270737049');
  const response = await request(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/plain/),
  ]);
  expect(await response.text()).toBe('7B2270737049');
  expect(response.headers.get('set-cookie')).toBeNull();
});

test('Apple Pay: without the file it is 404', async () => {
  await env.FUNNEL.delete(appleFileKey);
  expect((await request(path)).status).toBe(404);
});
