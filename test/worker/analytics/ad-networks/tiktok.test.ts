import { expect, test } from 'vitest';
import { tiktok } from '../../../../worker/analytics/ad-networks/tiktok.ts';
import { NetworkAmbiguousError } from '../../../../worker/analytics/ad-networks/types.ts';
import { misleadingResponses, stubMisleadingResponse } from '../../faults/truncated-response.ts';
import { openNetworks, reportedPurchase } from '../conversion-fixture.ts';

const network = tiktok('TIKTOKFAKE', 'tiktok_fake', '');

test('tiktok: the body has user agent and IP address only without a cookie', async () => {
  const { received } = openNetworks();
  expect(
    await network.reportPurchase(reportedPurchase({ event: 'e1', at: 1_700_000_000_900 })),
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
  await network.reportPurchase(reportedPurchase({ user: {} }));
  expect(received[1]?.body).toContain('"user":{"ip":"192.0.2.1","user_agent":"Browser/1"}');
});

test('tiktok: only code 0 is a success', async () => {
  const { nextFaults } = openNetworks();
  expect(await network.reportPurchase(reportedPurchase({ user: {}, address: undefined }))).toBe(
    'refused',
  );
  await expect(tiktok('T', 'wrong', '').reportPurchase(reportedPurchase())).rejects.toThrow(
    '200 40105',
  );
  nextFaults.push(503);
  await expect(network.reportPurchase(reportedPurchase())).rejects.toThrow('503 -1');
});

test.each(misleadingResponses)('tiktok: %s is ambiguous and retried', async (name) => {
  stubMisleadingResponse(name);
  await expect(network.reportPurchase(reportedPurchase())).rejects.toBeInstanceOf(
    NetworkAmbiguousError,
  );
});
