import type { DeadLetter } from '../../worker/operators/dead-letter-table.ts';
import { aligned } from '../text-table.ts';
import type { Context } from './context.ts';
import { withRetries } from './retry.ts';

type Listed = Omit<DeadLetter, 'body'> & { body: unknown };

const date = (at: number | null) => (at === null ? 'no' : new Date(at).toISOString());

/** Lists messages that their queues gave up, newest first; `all`: also those that were replayed. */
export async function deadLetters(all: boolean, { site, say }: Context): Promise<void> {
  const letters = await site.get<Listed[]>(`/dead-letters${all ? '?all=true' : ''}`);
  if (letters.length === 0) return say('No dead letters.');
  const rows = letters.map(({ id, at, replayed_at, body }) => [
    id,
    date(at),
    date(replayed_at),
    JSON.stringify(body),
  ]);
  for (const line of aligned([['id', 'since', 'replayed', 'message'], ...rows])) say(line);
}

/** Sends a dead letter to the queue that it came from, once for a key. */
export async function replay(id: string, key: string, context: Context): Promise<void> {
  await withRetries(context, () => context.site.post('/dead-letters', { id, key }));
  context.say(`${id} lies in its queue again`);
}
