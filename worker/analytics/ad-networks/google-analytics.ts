import { type AdNetwork, isPlainResponse, NetworkAmbiguousError, postJson } from './types.ts';

const endpoint = 'https://www.google-analytics.com/mp/collect';

export function googleAnalytics(id: string, secret: string, suffix: string): AdNetwork {
  return {
    name: 'google',
    requiredData: () => ({ agent: false, address: false }),
    async reportPurchase({ event, plan, price, currency, user, at }) {
      if (!user.google_client_id) return 'unmatched';
      const query = new URLSearchParams({ measurement_id: id, api_secret: secret });
      const response = await postJson(`${endpoint}?${query}`, {
        client_id: user.google_client_id,
        timestamp_micros: at * 1000,
        consent: { ad_user_data: 'GRANTED', ad_personalization: 'GRANTED' },
        events: [
          {
            name: `purchase${suffix}`,
            params: {
              transaction_id: event,
              event_id: event,
              value: price,
              currency,
              items: [{ item_id: plan, price, quantity: 1 }],
            },
          },
        ],
      });
      if (response.ok && (await isPlainResponse(response))) return 'accepted';
      throw new NetworkAmbiguousError(`${response.status}`);
    },
  };
}
