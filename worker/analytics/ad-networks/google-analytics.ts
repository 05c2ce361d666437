import {
  type AdNetwork,
  isPlainResponse,
  NetworkAmbiguousError,
  postJson,
  type ReportedPurchase,
} from './types.ts';

const endpoint = 'https://www.google-analytics.com/mp/collect';

/**
 * The session id in GA4's cookie. `GS1.1.<session>.…` has fixed places; since May 2025
 * `GS2.1.s<session>$o…$g…` has named parts in any order.
 */
export function sessionIdIn(cookie: string): string | undefined {
  const [version, , ...rest] = cookie.split('.');
  const parts = version === 'GS2' ? rest.join('.').split('$') : [];
  const named = parts.find((part) => /^s\d/.test(part))?.slice(1);
  const id = version === 'GS1' ? rest[0] : named;
  return id && /^\d{10}$/.test(id) ? id : undefined;
}

/**
 * Without both parameters Google attributes the purchase to no session and no campaign
 * (developers.google.com/analytics/devguides/collection/protocol/ga4/sending-events). The browser's tag
 * measures the engagement, so the purchase adds the least.
 */
const sessionOf = ({ google_session_id: session_id }: ReportedPurchase['user']) =>
  session_id ? { session_id, engagement_time_msec: 1 } : {};

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
              ...sessionOf(user),
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
