import type { ReceivedEvent } from './listener.ts';

interface Result {
  answer: Response;
  news: ReceivedEvent[];
}

interface MetaEvent {
  event_name: string;
  event_time: number;
  event_id: string;
  event_source_url?: string;
  action_source?: string;
  user_data: Record<string, string>;
}

interface TikTokEvent {
  event: string;
  event_id: string;
  user: Record<string, string>;
}

interface GoogleBody {
  client_id?: string;
  events: { name: string; params: { transaction_id: string } }[];
}

const refuse = (body: object, status: number): Result => ({
  answer: Response.json(body, { status }),
  news: [],
});
const heard = (
  network: ReceivedEvent['network'],
  name: string,
  event: string,
  body: string,
): ReceivedEvent => ({
  network,
  by: 'server',
  name,
  event,
  body,
});

/** A website's event needs a user agent, a URL and one user identifier. */
function meta({ headers }: Request, body: string): Result {
  if (headers.get('authorization') !== 'Bearer meta_fake') {
    return refuse({ error: { code: 190 } }, 400);
  }
  const { data } = JSON.parse(body) as { data: MetaEvent[] };
  const good = data.every(({ action_source, event_source_url, user_data }) => {
    const { client_user_agent, client_ip_address, fbc, fbp } = user_data;
    const known = client_ip_address ?? fbc ?? fbp;
    return action_source === 'website' && event_source_url && client_user_agent && known;
  });
  if (!good) return refuse({ error: { code: 100 } }, 400);
  const news = data.map(({ event_name, event_id }) => heard('meta', event_name, event_id, body));
  return { answer: Response.json({ events_received: data.length }), news };
}

/** Always answers 200; the code in the body says whether the event was accepted. */
function tiktok({ headers }: Request, body: string): Result {
  if (headers.get('access-token') !== 'tiktok_fake') return refuse({ code: 40105 }, 200);
  const { data } = JSON.parse(body) as { data: TikTokEvent[] };
  const good = data.every(({ user: { ttp, ttclid, ip, user_agent } }) =>
    Boolean(ttp ?? ttclid ?? (ip && user_agent)),
  );
  if (!good) return refuse({ code: 40002 }, 200);
  const news = data.map(({ event, event_id }) => heard('tiktok', event, event_id, body));
  return { answer: Response.json({ code: 0, message: 'OK' }), news };
}

/** Always answers 204; drops malformed events. */
function google({ url }: Request, body: string): Result {
  const { client_id, events } = JSON.parse(body) as GoogleBody;
  const known = new URL(url).searchParams.get('api_secret') === 'google_fake' && client_id;
  const news = events.map(({ name, params }) => heard('google', name, params.transaction_id, body));
  return { answer: new Response(null, { status: 204 }), news: known ? news : [] };
}

const networks: Record<string, (request: Request, body: string) => Result> = {
  'graph.facebook.com': meta,
  'business-api.tiktok.com': tiktok,
  'www.google-analytics.com': google,
};

export async function conversion(request: Request): Promise<Result> {
  const network = networks[new URL(request.url).hostname];
  return network ? network(request, await request.text()) : refuse({}, 404);
}
