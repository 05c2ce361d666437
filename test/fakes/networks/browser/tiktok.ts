import { mark, tell } from './script-origin.ts';

type Track = [verb: string, name: string, data: object, options: { event_id: string }];

const page = window as unknown as { ttq: Track[] & Record<string, unknown> };

function track(name: string, data: object, { event_id }: Track[3]): void {
  tell('analytics.tiktok.com/api/v2/pixel', { name, event: event_id, ...data });
}

// TikTok sets its cookie some time after its script has loaded.
setTimeout(mark, 700, '_ttp', 'ttp.fake.1');
for (const [verb, ...rest] of page.ttq.splice(0)) if (verb === 'track') track(...rest);
page.ttq.track = track;
