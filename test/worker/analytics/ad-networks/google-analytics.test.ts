import { expect, test } from 'vitest';
import { googleAnalytics } from '../../../../worker/analytics/ad-networks/google-analytics.ts';
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
