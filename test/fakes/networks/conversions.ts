import type { Heard } from './listener.ts';

interface Taken {
  answer: Response;
  news: Heard[];
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

const refuse = (body: object, status: number): Taken => ({
  answer: Response.json(body, { status }),
  news: [],
});
const heard = (network: Heard['network'], name: string, event: string, body: string): Heard => ({
  network,
  by: 'server',
  name,
  event,
  body,
});

/** A website's event needs a browser's name, where it happened, and one sign of who it was. */
function meta({ headers }: Request, body: string): Taken {
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

/** Answers 200 whatever it thinks of an event; the code tells. */
function tiktok({ headers }: Request, body: string): Taken {
  if (headers.get('access-token') !== 'tiktok_fake') return refuse({ code: 40105 }, 200);
  const { data } = JSON.parse(body) as { data: TikTokEvent[] };
  const good = data.every(({ user: { ttp, ttclid, ip, user_agent } }) =>
    Boolean(ttp ?? ttclid ?? (ip && user_agent)),
  );
  if (!good) return refuse({ code: 40002 }, 200);
  const news = data.map(({ event, event_id }) => heard('tiktok', event, event_id, body));
  return { answer: Response.json({ code: 0, message: 'OK' }), news };
}

/** Answers 204 whatever comes, and counts nothing that is wrong. */
function google({ url }: Request, body: string): Taken {
  const { client_id, events } = JSON.parse(body) as GoogleBody;
  const known = new URL(url).searchParams.get('api_secret') === 'google_fake' && client_id;
  const news = events.map(({ name, params }) => heard('google', name, params.transaction_id, body));
  return { answer: new Response(null, { status: 204 }), news: known ? news : [] };
}

const networks: Record<string, (request: Request, body: string) => Taken> = {
  'graph.facebook.com': meta,
  'business-api.tiktok.com': tiktok,
  'www.google-analytics.com': google,
};

/** What a server tells a network, and what that answers. */
export async function conversion(request: Request): Promise<Taken> {
  const network = networks[new URL(request.url).hostname];
  return network ? network(request, await request.text()) : refuse({}, 404);
}
