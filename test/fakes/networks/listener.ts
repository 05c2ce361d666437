import { conversion } from './conversions.ts';

/** What a network was told of, by a browser's pixel or by a server. */
export interface Heard {
  network: 'meta' | 'tiktok' | 'google' | 'ads';
  by: 'browser' | 'server';
  /** The event's name. */
  name: string;
  /** By which the network knows an event again. */
  event: string;
  /** All that was said, as text. */
  body: string;
}

/** The networks' ears for servers. */
export interface Listener {
  /** Takes what a server tells. */
  take(request: Request): Promise<Response>;
  /** All that was told and taken, in the order of its coming, repetitions too. */
  heard: Heard[];
  /** What the next tellings of servers answer before anything is taken, or `lost` after it was. */
  trouble: (number | 'lost')[];
}

export function createListener(): Listener {
  const heard: Heard[] = [];
  const trouble: Listener['trouble'] = [];
  return {
    heard,
    trouble,
    async take(request) {
      const next = trouble.shift();
      if (typeof next === 'number') return new Response('{}', { status: next });
      const { answer, news } = await conversion(request);
      heard.push(...news);
      if (next === 'lost') throw new TypeError('network connection lost');
      return answer;
    },
  };
}
