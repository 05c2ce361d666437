import { createHash } from 'node:crypto';

interface Uploaded {
  insert_id: string;
  event_type: string;
  device_id: string;
  user_id?: string;
  timestamp: number;
  event_properties: Record<string, unknown>;
}

/** Amplitude's HTTP API 2, which deduplicates by `insert_id`. */
export interface AnalyticsFake {
  fetch(request: Request): Promise<Response>;
  /** Accepted events in order, without duplicates. */
  events: Uploaded[];
  /** Bodies of all accepted uploads. */
  bodies: string[];
  /** For the next uploads: a status refuses, `hang` never answers, `lost` accepts and loses the reply. */
  trouble: (number | 'hang' | 'lost')[];
  /** More events in one upload are answered 413. */
  limit: number;
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** A GET returns the events. */
export function createAnalytics(): AnalyticsFake {
  const fake: AnalyticsFake = { events: [], bodies: [], trouble: [], limit: 1000, fetch: answer };
  const known = new Set<string>();

  function take(events: Uploaded[]): void {
    for (const event of events) {
      if (!known.has(event.insert_id)) fake.events.push(event);
      known.add(event.insert_id);
    }
  }

  async function answer(request: Request): Promise<Response> {
    if (request.method === 'GET') return Response.json(fake.events);
    const next = fake.trouble.shift();
    if (typeof next === 'number') return new Response('refused', { status: next });
    if (next === 'hang') return new Promise(() => {});
    const body = await request.text();
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
    if (events.length > fake.limit) return new Response('too_large', { status: 413 });
    take(events);
    fake.bodies.push(body);
    if (next === 'lost') throw new TypeError('network connection lost');
    return new Response('success');
  }

  return fake;
}
