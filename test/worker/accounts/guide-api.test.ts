import { expect, test } from 'vitest';
import deutsch from '../../../locales/de/guide.json';
import words from '../../../locales/en/guide.json';
import { stubStripe } from '../payments/payments-fixture.ts';
import { card, pollingId, pollUntilDone, signedInHeaders } from '../payments/purchase-helpers.ts';
import { request, statusAndCode } from '../request.ts';
import { newAccount } from './account-fixture.ts';

const path = '/api/v1/users/me/guide';

test('guide: only an account that bought it gets the text', async () => {
  stubStripe();
  const headers = await signedInHeaders();
  const refused = async () => await statusAndCode(request(path, { headers }));
  expect(await refused()).toEqual([403, 'guide_not_owned']);
  await pollUntilDone(await pollingId('monthly_usd', card(), headers));
  await pollUntilDone(await pollingId('upsell_monthly_799_usd', card(undefined), headers));
  expect(await refused()).toEqual([403, 'guide_not_owned']);
  await pollUntilDone(await pollingId('guide_1799_usd', card(), headers));
  const response = await request(path, { headers });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await response.json()).toEqual({ data: words });
  const german = await request(path, { headers: { ...headers, 'accept-language': 'de' } });
  expect(await german.json()).toEqual({ data: deutsch });
});

test('guide: without a token, or with another account’s, it is refused', async () => {
  expect(await statusAndCode(request(path))).toEqual([401, 'unauthorized']);
  const { headers } = await newAccount();
  expect(await statusAndCode(request(path, { headers }))).toEqual([403, 'guide_not_owned']);
});

test('guide: no page contains its text', async () => {
  const html = await (await request('/guide')).text();
  for (const { intro, parts } of words.sections) {
    expect(html).not.toContain(intro);
    expect(html).not.toContain(parts[0]?.list[0]);
  }
});
