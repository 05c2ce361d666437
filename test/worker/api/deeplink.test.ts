import { env } from 'cloudflare:test';
import { beforeAll, expect, test, vi } from 'vitest';
import { insertAccount } from '../../../worker/storage/accounts.ts';
import { accessToken } from '../../../worker/token.ts';
import { ask, post, refusalOf } from '../ask.ts';

const id = crypto.randomUUID();

interface Link {
  data: { short_deeplink: string; qr_code: string };
}

beforeAll(async () => {
  const account = { id, email: 'q@example.com', name: 'q', userUuid: crypto.randomUUID() };
  const facts = { landingType: 'split_fullPrice', country: 'US', language: 'en' };
  const arm = { experiment: null, arm: 'fullPrice' };
  await insertAccount(env.DB, { ...account, ...facts, ...arm }, 0);
});

async function newLink() {
  const headers = { authorization: `Bearer ${await accessToken(env, id)}` };
  const response = await ask('https://funnel.test/api/v1/users/me/deeplink-qr-code', { headers });
  expect(response.headers.get('cache-control')).toBe('no-store');
  return ((await response.json()) as Link).data;
}

const redeem = (code: unknown) => post('/deeplink/redeem', { code });
const codeIn = (link: string) => new URL(link).hash.slice(1);

test('the link keeps its code in the fragment, and the picture is SVG of 256 pixels', async () => {
  const { short_deeplink, qr_code } = await newLink();
  expect(short_deeplink).toMatch(/^https:\/\/funnel\.test\/d#[\w-]{22}$/);
  expect(qr_code).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="256" height="256"/,
  );
  expect(qr_code).not.toContain(codeIn(short_deeplink));
});

test('the code gives a token of its account, once', async () => {
  const code = codeIn((await newLink()).short_deeplink);
  const response = await redeem(code);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { data } = (await response.json()) as { data: { access_token: string } };
  const headers = { authorization: `Bearer ${data.access_token}` };
  expect((await ask('/api/v1/users/me/payments-settings', { headers })).status).toBe(200);
  expect((await refusalOf(await redeem(code))).slice(0, 2)).toEqual([410, 'deeplink_used']);
});

test('a code of yesterday is over', async () => {
  const code = codeIn((await newLink()).short_deeplink);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 });
  const refusal = await refusalOf(await redeem(code)).finally(() => vi.useRealTimers());
  expect(refusal.slice(0, 2)).toEqual([410, 'deeplink_expired']);
});

test.each([
  ['AAAAAAAAAAAAAAAAAAAAAA', 404, 'deeplink_unknown'],
  ['', 404, 'deeplink_unknown'],
  ["' OR 1=1 --", 404, 'deeplink_unknown'],
  [undefined, 400, 'bad_body'],
  [7, 400, 'bad_body'],
  ['x'.repeat(101), 400, 'bad_body'],
])('%j opens nothing', async (code, status, refusal) => {
  expect((await refusalOf(await redeem(code))).slice(0, 2)).toEqual([status, refusal]);
});

test('a link needs an account', async () => {
  const response = await ask('/api/v1/users/me/deeplink-qr-code');
  expect((await refusalOf(response)).slice(0, 2)).toEqual([401, 'unauthorized']);
});
