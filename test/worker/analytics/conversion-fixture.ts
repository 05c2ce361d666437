import { vi } from 'vitest';
import type { ReportedPurchase } from '../../../worker/analytics/ad-networks/types.ts';
import { createListener } from '../../fakes/networks/conversions.ts';

/** Variables and secrets that configure all three networks. */
export const networkVars = {
  META_PIXEL_ID: '1000',
  META_TOKEN: 'meta_fake',
  TIKTOK_PIXEL_ID: 'TIKTOKFAKE',
  TIKTOK_TOKEN: 'tiktok_fake',
  GOOGLE_ANALYTICS_ID: 'G-FAKE',
  GOOGLE_ANALYTICS_SECRET: 'google_fake',
};

/** Lets the Worker's fetch reach the networks' fakes only. */
export function openNetworks() {
  const networks = createListener();
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    networks.receive(new Request(url, init)),
  );
  return networks;
}

/** A purchase that may be reported to networks. */
export function reportedPurchase(change: Partial<ReportedPurchase> = {}): ReportedPurchase {
  return {
    event: crypto.randomUUID(),
    plan: 'monthly_usd',
    price: 39.99,
    currency: 'USD',
    subscription: 'sub_1',
    at: Date.now(),
    site: 'https://funnel.test',
    agent: 'Browser/1',
    address: '192.0.2.1',
    user: {
      google_client_id: '1.2',
      user_data: { fbc: 'fb.1.1.c', fbp: 'fb.1.1.2', ttp: 't1', tt_click_id: 'tc' },
    },
    ...change,
  };
}
