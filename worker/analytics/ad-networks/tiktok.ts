import * as v from 'valibot';
import { jsonOf } from '../../platform/read-json.ts';
import type { Attribution } from '../../visitor/attribution.ts';
import { type AdNetwork, NetworkAmbiguousError, postJson, type ReportedPurchase } from './types.ts';

const endpoint = 'https://business-api.tiktok.com/open_api/v1.3/event/track/';
/** The status is always 200; `code` is the result (business-api.tiktok.com/portal/docs). */
const answer = v.object({ code: v.number() });
const wrongParameter = 40002;

const hasNoCookie = ({ user_data: ids }: Attribution) => !ids?.ttp && !ids?.tt_click_id;

function eventOf(sold: ReportedPurchase, suffix: string) {
  const { event, plan, price, currency, user, agent, address, at, site } = sold;
  const { ttp, tt_click_id: ttclid } = user.user_data ?? {};
  return {
    event: `CompletePayment${suffix}`,
    event_time: Math.floor(at / 1000),
    event_id: event,
    user: hasNoCookie(user) ? { ip: address, user_agent: agent } : { ttp, ttclid },
    properties: {
      value: price,
      currency,
      content_type: 'product',
      contents: [{ content_id: plan, price, quantity: 1 }],
    },
    page: { url: `${site}/` },
  };
}

export function tiktok(pixel: string, token: string, suffix: string): AdNetwork {
  return {
    name: 'tiktok',
    requiredData: (user) => ({ agent: hasNoCookie(user), address: hasNoCookie(user) }),
    async reportPurchase(sold) {
      const body = {
        event_source: 'web',
        event_source_id: pixel,
        data: [eventOf(sold, suffix)],
      };
      const response = await postJson(endpoint, body, { 'access-token': token });
      const parsed = v.safeParse(answer, await jsonOf(response));
      const code = parsed.success ? parsed.output.code : -1;
      if (code === 0) return 'accepted';
      if (code === wrongParameter) return 'refused';
      throw new NetworkAmbiguousError(`${response.status} ${code}`);
    },
  };
}
