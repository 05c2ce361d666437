import { expect, test } from 'vitest';
import { meta } from '../../../../worker/analytics/ad-networks/meta.ts';
import { NetworkAmbiguousError } from '../../../../worker/analytics/ad-networks/types.ts';
import { misleadingResponses, stubMisleadingResponse } from '../../faults/truncated-response.ts';
import { openNetworks, reportedPurchase } from '../conversion-fixture.ts';

const network = meta('1000', 'meta_fake', '_test');

test('meta: the body has the IP address only without a cookie', async () => {
  const { received } = openNetworks();
  const named = reportedPurchase({ event: 'e1', at: 1_700_000_000_900 });
  expect(await network.reportPurchase(named)).toBe('accepted');
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
  await network.reportPurchase(reportedPurchase({ user: {} }));
  expect(received[1]?.body).toContain('"client_ip_address":"192.0.2.1"');
  expect(network.requiredData(named.user)).toEqual({ agent: true, address: false });
  expect(network.requiredData({})).toEqual({ agent: true, address: true });
});

test('meta: a wrong parameter is final, other errors are retried', async () => {
  const { nextFaults } = openNetworks();
  expect(await network.reportPurchase(reportedPurchase({ user: {}, address: undefined }))).toBe(
    'refused',
  );
  await expect(meta('1000', 'wrong', '').reportPurchase(reportedPurchase())).rejects.toThrow(
    '400 190',
  );
  nextFaults.push(500, 'lost');
  await expect(network.reportPurchase(reportedPurchase())).rejects.toThrow('500 0');
  await expect(network.reportPurchase(reportedPurchase())).rejects.toThrow('TypeError');
});

test.each(misleadingResponses)('meta: %s is ambiguous and retried', async (name) => {
  stubMisleadingResponse(name);
  await expect(network.reportPurchase(reportedPurchase())).rejects.toBeInstanceOf(
    NetworkAmbiguousError,
  );
});
