import { tell } from './script-origin.ts';

type Call = [verb: string, ...rest: unknown[]];
type Stub = ((...call: Call) => void) & {
  queue: Call[];
  callMethod?: (...call: Call) => void;
};

const { fbq } = window as unknown as { fbq: Stub };

/** Sends each event by itself, and sets no cookies, as in strict browsers. */
function run(...[verb, , name, data, options]: Call): void {
  if (!verb.startsWith('trackSingle')) return;
  const { eventID } = options as { eventID: string };
  tell('www.facebook.com/tr', { name, event: eventID, ...(data as object) });
}

fbq.callMethod = run;
for (const call of fbq.queue.splice(0)) run(...call);
