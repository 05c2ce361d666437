import { createHash } from 'node:crypto';
import { bodyText } from '../body-text.ts';

interface Uploaded {
  insert_id: string;
  event_type: string;
  device_id: string;
  user_id?: string;
  session_id: number;
  timestamp: number;
  event_properties: Record<string, unknown>;
}

/** Amplitude's HTTP API 2, which deduplicates by `insert_id`. */
export interface AnalyticsFake {
  fetch(request: Request): Promise<Response>;
  /** Accepted events in order, without duplicates. */
  events: Uploaded[];
  bodies: string[];
  /** For the next uploads: a status refuses, `hang` never responds, `lost` accepts and loses the reply. */
  nextFaults: (number | 'hang' | 'lost')[];
  /** More events in one upload get a 413. */
  limit: number;
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

export function createAnalytics(): AnalyticsFake {
  const fake: AnalyticsFake = {
    events: [],
    bodies: [],
    nextFaults: [],
    limit: 1000,
    fetch: answer,
  };
  const known = new Set<string>();

  function take(events: Uploaded[]): void {
    for (const event of events) {
      if (!known.has(event.insert_id)) fake.events.push(event);
      known.add(event.insert_id);
    }
  }

  async function answer(request: Request): Promise<Response> {
    if (request.method === 'GET') return Response.json(fake.events);
    const next = fake.nextFaults.shift();
    if (typeof next === 'number') return new Response('refused', { status: next });
    if (next === 'hang') return new Promise(() => {});
    const body = await bodyText(request);
    const {
      client,
      e = '',
      v = '',
      upload_time = '',
      checksum,
    } = Object.fromEntries(new URLSearchParams(body));
    if (!client) return new Response('missing_api_key', { status: 400 });
    if (checksum !== md5(v + client + e + upload_time)) {
      return new Response('bad_checksum', { status: 400 });
    }
    const events = JSON.parse(e) as Uploaded[];
    // The session is a long in ms, or -1 (amplitude.com/docs/apis/analytics/http-v2).
    if (!events.every(({ session_id }) => Number.isSafeInteger(session_id))) {
      return new Response('invalid_session_id', { status: 400 });
    }
    if (events.length > fake.limit) return new Response('too_large', { status: 413 });
    take(events);
    fake.bodies.push(body);
    if (next === 'lost') throw new TypeError('network connection lost');
    return new Response('success');
  }

  return fake;
}

export interface ReceivedEvent {
  network: 'meta' | 'tiktok' | 'google' | 'ads';
  by: 'browser' | 'server';
  name: string;
  /** The id by which the network deduplicates events. */
  event: string;
  body: string;
}

interface Result {
  response: Response;
  events: ReceivedEvent[];
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
  events: { name: string; params: { transaction_id: string; session_id?: string } }[];
}

const refusal = (body: object, status: number): Result => ({
  response: Response.json(body, { status }),
  events: [],
});

const receivedEvent = (
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
    return refusal({ error: { code: 190 } }, 400);
  }
  const { data } = JSON.parse(body) as { data: MetaEvent[] };
  const good = data.every(({ action_source, event_source_url, user_data }) => {
    const { client_user_agent, client_ip_address, fbc, fbp } = user_data;
    const known = client_ip_address ?? fbc ?? fbp;
    return action_source === 'website' && event_source_url && client_user_agent && known;
  });
  if (!good) return refusal({ error: { code: 100 } }, 400);
  const news = data.map(({ event_name, event_id }) =>
    receivedEvent('meta', event_name, event_id, body),
  );
  return { response: Response.json({ events_received: data.length }), events: news };
}

/** Always responds with 200; the code in the body says whether the event was accepted. */
function tiktok({ headers }: Request, body: string): Result {
  if (headers.get('access-token') !== 'tiktok_fake') return refusal({ code: 40105 }, 200);
  const { data } = JSON.parse(body) as { data: TikTokEvent[] };
  const good = data.every(({ user: { ttp, ttclid, ip, user_agent } }) =>
    Boolean(ttp ?? ttclid ?? (ip && user_agent)),
  );
  if (!good) return refusal({ code: 40002 }, 200);
  const news = data.map(({ event, event_id }) => receivedEvent('tiktok', event, event_id, body));
  return { response: Response.json({ code: 0, message: 'OK' }), events: news };
}

function google({ url }: Request, body: string): Result {
  const { client_id, events } = JSON.parse(body) as GoogleBody;
  const known = new URL(url).searchParams.get('api_secret') === 'google_fake' && client_id;
  // The response is the same; an event with another session is not attributed to any
  // (developers.google.com/analytics/devguides/collection/protocol/ga4/validating-events).
  const valid = events.filter(({ params }) => /^\d+$/.test(params.session_id ?? '0'));
  const news = valid.map(({ name, params }) =>
    receivedEvent('google', name, params.transaction_id, body),
  );
  return { response: new Response(null, { status: 204 }), events: known ? news : [] };
}

const networks: Record<string, (request: Request, body: string) => Result> = {
  'graph.facebook.com': meta,
  'business-api.tiktok.com': tiktok,
  'www.google-analytics.com': google,
};

export const conversionHosts = Object.keys(networks);

async function conversion(request: Request): Promise<Result> {
  const network = networks[new URL(request.url).hostname];
  return network ? network(request, await bodyText(request)) : refusal({}, 404);
}

export interface Listener {
  receive(request: Request): Promise<Response>;
  /** Every accepted event in order, duplicates included. */
  received: ReceivedEvent[];
  /** For the next server calls: a status refuses; `lost` accepts the event and loses the reply. */
  nextFaults: (number | 'lost')[];
}

export function createListener(): Listener {
  const received: ReceivedEvent[] = [];
  const nextFaults: Listener['nextFaults'] = [];
  return {
    received,
    nextFaults,
    async receive(request) {
      const next = nextFaults.shift();
      if (typeof next === 'number') return new Response('{}', { status: next });
      const { response, events: news } = await conversion(request);
      received.push(...news);
      if (next === 'lost') throw new TypeError('network connection lost');
      return response;
    },
  };
}
