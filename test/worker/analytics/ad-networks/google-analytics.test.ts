import { expect, test } from 'vitest';
import {
  googleAnalytics,
  sessionIdIn,
} from '../../../../worker/analytics/ad-networks/google-analytics.ts';
import { NetworkAmbiguousError } from '../../../../worker/analytics/ad-networks/types.ts';
import { stubMisleadingResponse } from '../../faults/truncated-response.ts';
import { openNetworks, reportedPurchase } from '../conversion-fixture.ts';

const network = googleAnalytics('G-FAKE', 'google_fake', '_test');

test('google analytics: the body has no user agent and no IP address', async () => {
  const { received } = openNetworks();
  expect(
    await network.reportPurchase(reportedPurchase({ event: 'e1', at: 1_700_000_000_900 })),
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
  expect(network.requiredData({})).toEqual({ agent: false, address: false });
});

test('google analytics: a purchase belongs to the session of the browser', async () => {
  const { received } = openNetworks();
  const user = { google_client_id: '1.2', google_session_id: '1700000000' };
  await network.reportPurchase(reportedPurchase({ user }));
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
  expect(await network.reportPurchase(reportedPurchase({ user: {} }))).toBe('unmatched');
  expect(received).toEqual([]);
  nextFaults.push(500);
  await expect(network.reportPurchase(reportedPurchase())).rejects.toThrow('500');
});

test.each(['a 200 with a page', 'a 200 that does not end', 'no answer'])(
  'google analytics: %s is ambiguous and retried',
  async (name) => {
    stubMisleadingResponse(name);
    await expect(network.reportPurchase(reportedPurchase())).rejects.toBeInstanceOf(
      NetworkAmbiguousError,
    );
  },
);

test('google analytics: an empty response is a success', async () => {
  stubMisleadingResponse('an empty 200');
  expect(await network.reportPurchase(reportedPurchase())).toBe('accepted');
});
