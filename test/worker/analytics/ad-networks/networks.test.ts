import { expect, test } from 'vitest';
import {
  googleAnalytics,
  sessionIdIn,
} from '../../../../worker/analytics/ad-networks/google-analytics.ts';
import { meta } from '../../../../worker/analytics/ad-networks/meta.ts';
import { tiktok } from '../../../../worker/analytics/ad-networks/tiktok.ts';
import { NetworkAmbiguousError } from '../../../../worker/analytics/ad-networks/types.ts';
import { misleadingResponses, stubMisleadingResponse } from '../../faults/truncated-response.ts';
import { openNetworks, reportedPurchase } from '../conversion-fixture.ts';

const networks = {
  google: googleAnalytics('G-FAKE', 'google_fake', '_test'),
  meta: meta('1000', 'meta_fake', '_test'),
  tiktok: tiktok('TIKTOKFAKE', 'tiktok_fake', ''),
};

// Google answers without a body, so only these prove nothing there.
const misleadingAtGoogle = ['a 200 with a page', 'a 200 that does not end', 'no answer'];

test.each([
  ...misleadingAtGoogle.map((name) => ['google', name] as const),
  ...misleadingResponses.flatMap((name) => [['meta', name] as const, ['tiktok', name] as const]),
])('ad networks: at %s %s is ambiguous and retried', async (network, name) => {
  stubMisleadingResponse(name);
  await expect(networks[network].reportPurchase(reportedPurchase())).rejects.toBeInstanceOf(
    NetworkAmbiguousError,
  );
});

test('google analytics: the body has no user agent and no IP address', async () => {
  const { received } = openNetworks();
  expect(
    await networks.google.reportPurchase(reportedPurchase({ event: 'e1', at: 1_700_000_000_900 })),
  ).toBe('accepted');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    client_id: '1.2',
    timestamp_micros: 1_700_000_000_900_000,
    consent: { ad_user_data: 'GRANTED', ad_personalization: 'GRANTED' },
    events: [
      {
        name: 'purchase_test',
        params: {
          transaction_id: 'e1',
          event_id: 'e1',
          value: 39.99,
          currency: 'USD',
          items: [{ item_id: 'monthly_usd', price: 39.99, quantity: 1 }],
        },
      },
    ],
  });
  expect(networks.google.requiredData({})).toEqual({ agent: false, address: false });
});

test('google analytics: a purchase belongs to the session of the browser', async () => {
  const { received } = openNetworks();
  const user = { google_client_id: '1.2', google_session_id: '1700000000' };
  await networks.google.reportPurchase(reportedPurchase({ user }));
  expect(JSON.parse(received[0]?.body ?? '').events[0].params).toMatchObject({
    session_id: '1700000000',
    engagement_time_msec: 1,
  });
});

test.each([
  ['GS1.1.1700000000.3.1.1700000500.60.0.0', '1700000000'],
  ['GS1.1-2.1700000000.1.0.1700000000.0.0.0', '1700000000'],
  ['GS1.1.1700000000', '1700000000'],
  ['GS2.1.s1700000000$o3$g1$t1700000500$j60$l0$h0', '1700000000'],
  ['GS2.1.o3$g1$t1700000500$s1700000000', '1700000000'],
  ['GS2.1.t1700000500$dabc.s9$s1700000000', '1700000000'],
  ['GS2.1.o3$g1$t1700000500', undefined],
  ['GS2.1.1700000000.3.1.1700000500', undefined],
  ['GS1.1.s1700000000$o3', undefined],
  ['GS2.1.s17$o3', undefined],
  ['GS2.1.s212-555-0100', undefined],
  ['GS1.1.00491511234567', undefined],
  ['GS3.1.s1700000000', undefined],
  ['GA1.1.1234567890.1700000000', undefined],
  ['', undefined],
])('google analytics: the cookie %j has the session %s', (cookie, session) => {
  expect(sessionIdIn(cookie)).toBe(session);
});

test('google analytics: without the cookie nothing is sent, an error is retried', async () => {
  const { received, nextFaults } = openNetworks();
  expect(await networks.google.reportPurchase(reportedPurchase({ user: {} }))).toBe('unmatched');
  expect(received).toEqual([]);
  nextFaults.push(500);
  await expect(networks.google.reportPurchase(reportedPurchase())).rejects.toThrow('500');
});

test('google analytics: an empty response is a success', async () => {
  stubMisleadingResponse('an empty 200');
  expect(await networks.google.reportPurchase(reportedPurchase())).toBe('accepted');
});

test('meta: the body has the IP address only without a cookie', async () => {
  const { received } = openNetworks();
  const named = reportedPurchase({ event: 'e1', at: 1_700_000_000_900 });
  expect(await networks.meta.reportPurchase(named)).toBe('accepted');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    data: [
      {
        event_name: 'Purchase_test',
        event_time: 1_700_000_000,
        event_id: 'e1',
        event_source_url: 'https://funnel.test/',
        action_source: 'website',
        user_data: { client_user_agent: 'Browser/1', fbc: 'fb.1.1.c', fbp: 'fb.1.1.2' },
        custom_data: {
          value: 39.99,
          currency: 'USD',
          content_ids: ['monthly_usd'],
          content_type: 'product',
        },
      },
    ],
  });
  await networks.meta.reportPurchase(reportedPurchase({ user: {} }));
  expect(received[1]?.body).toContain('"client_ip_address":"192.0.2.1"');
  expect(networks.meta.requiredData(named.user)).toEqual({ agent: true, address: false });
  expect(networks.meta.requiredData({})).toEqual({ agent: true, address: true });
});

test('meta: a wrong parameter is final, other errors are retried', async () => {
  const { nextFaults } = openNetworks();
  expect(
    await networks.meta.reportPurchase(reportedPurchase({ user: {}, address: undefined })),
  ).toBe('refused');
  await expect(meta('1000', 'wrong', '').reportPurchase(reportedPurchase())).rejects.toThrow(
    '400 190',
  );
  nextFaults.push(500, 'lost');
  await expect(networks.meta.reportPurchase(reportedPurchase())).rejects.toThrow('500 0');
  await expect(networks.meta.reportPurchase(reportedPurchase())).rejects.toThrow('TypeError');
});

test('tiktok: the body has user agent and IP address only without a cookie', async () => {
  const { received } = openNetworks();
  expect(
    await networks.tiktok.reportPurchase(reportedPurchase({ event: 'e1', at: 1_700_000_000_900 })),
  ).toBe('accepted');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    event_source: 'web',
    event_source_id: 'TIKTOKFAKE',
    data: [
      {
        event: 'CompletePayment',
        event_time: 1_700_000_000,
        event_id: 'e1',
        user: { ttp: 't1', ttclid: 'tc' },
        properties: {
          value: 39.99,
          currency: 'USD',
          content_type: 'product',
          contents: [{ content_id: 'monthly_usd', price: 39.99, quantity: 1 }],
        },
        page: { url: 'https://funnel.test/' },
      },
    ],
  });
  await networks.tiktok.reportPurchase(reportedPurchase({ user: {} }));
  expect(received[1]?.body).toContain('"user":{"ip":"192.0.2.1","user_agent":"Browser/1"}');
});

test('tiktok: only code 0 is a success', async () => {
  const { nextFaults } = openNetworks();
  expect(
    await networks.tiktok.reportPurchase(reportedPurchase({ user: {}, address: undefined })),
  ).toBe('refused');
  await expect(tiktok('T', 'wrong', '').reportPurchase(reportedPurchase())).rejects.toThrow(
    '200 40105',
  );
  nextFaults.push(503);
  await expect(networks.tiktok.reportPurchase(reportedPurchase())).rejects.toThrow('503 -1');
});
