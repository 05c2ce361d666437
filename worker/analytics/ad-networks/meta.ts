import * as v from 'valibot';
import { jsonOf } from '../../platform/read-json.ts';
import type { Attribution } from '../../visitor/attribution.ts';
import { type AdNetwork, NetworkAmbiguousError, postJson, type ReportedPurchase } from './types.ts';

const version = 'v23.0';
/** Checked, because a proxy may respond with a page and status 200. */
const accepted = v.object({ events_received: v.pipe(v.number(), v.minValue(1)) });
/** Only the number, because the message quotes our request. */
const refusal = v.object({ error: v.object({ code: v.number() }) });
const wrongParameter = 100;

const hasNoCookie = ({ user_data: ids }: Attribution) => !ids?.fbc && !ids?.fbp;

/** See developers.facebook.com/docs/marketing-api/conversions-api/parameters. */
function eventOf(sold: ReportedPurchase, suffix: string) {
  const { event, plan, price, currency, user, agent, address, at, site } = sold;
  return {
    event_name: `Purchase${suffix}`,
    event_time: Math.floor(at / 1000),
    event_id: event,
    event_source_url: `${site}/`,
    action_source: 'website',
    user_data: {
      client_user_agent: agent,
      client_ip_address: hasNoCookie(user) ? address : undefined,
      fbc: user.user_data?.fbc,
      fbp: user.user_data?.fbp,
    },
    custom_data: { value: price, currency, content_ids: [plan], content_type: 'product' },
  };
}

export function meta(pixel: string, token: string, suffix: string): AdNetwork {
  return {
    name: 'meta',
    requiredData: (user) => ({ agent: true, address: hasNoCookie(user) }),
    async reportPurchase(sold) {
      const url = `https://graph.facebook.com/${version}/${pixel}/events`;
      const authorization = `Bearer ${token}`;
      const response = await postJson(url, { data: [eventOf(sold, suffix)] }, { authorization });
      const answer: unknown = await jsonOf(response);
      if (response.ok && v.is(accepted, answer)) return 'accepted';
      const body = v.safeParse(refusal, answer);
      const code = body.success ? body.output.error.code : 0;
      if (code === wrongParameter) return 'refused';
      throw new NetworkAmbiguousError(`${response.status} ${code}`);
    },
  };
}
