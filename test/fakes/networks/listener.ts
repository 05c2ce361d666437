import { conversion } from './conversions.ts';

export interface ReceivedEvent {
  network: 'meta' | 'tiktok' | 'google' | 'ads';
  by: 'browser' | 'server';
  name: string;
  /** The id by which the network deduplicates events. */
  event: string;
  body: string;
}

export interface Listener {
  receive(request: Request): Promise<Response>;
  /** Every accepted event in order, duplicates included. */
  received: ReceivedEvent[];
  /** For the next server calls: a status refuses; `lost` accepts the event and loses the reply. */
  trouble: (number | 'lost')[];
}

export function createListener(): Listener {
  const heard: ReceivedEvent[] = [];
  const trouble: Listener['trouble'] = [];
  return {
    received: heard,
    trouble,
    async receive(request) {
      const next = trouble.shift();
      if (typeof next === 'number') return new Response('{}', { status: next });
      const { answer, news } = await conversion(request);
      heard.push(...news);
      if (next === 'lost') throw new TypeError('network connection lost');
      return answer;
    },
  };
}
