import type { Trace } from './found-at.ts';
import { search } from './search.ts';
import type { Needle } from './secrets.ts';

/** Between two texts: nothing that anybody writes into a number. */
const gap = '\n;\n';

/** What was found where, each once: `d1 accounts.email: email`. */
export function findings(traces: readonly Trace[], needles: readonly Needle[]): string[] {
  const texts = Map.groupBy(traces, ([place]) => place.replace(/[\da-f]{8}-[\da-f-]{27}/g, '*'));
  const found = [...texts].flatMap(([place, here]) => {
    const whole = [...new Set(here.map(([, text]) => text))].join(gap);
    return search(whole, needles).map((kind) => `${place}: ${kind}`);
  });
  return found.sort();
}
