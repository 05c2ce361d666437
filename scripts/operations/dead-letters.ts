import type { DeadLetter } from '../../worker/operators/dead-letter-table.ts';
import { aligned } from '../text-table.ts';
import { type Context, withRetries } from './admin-client.ts';

type Listed = Omit<DeadLetter, 'body'> & { body: unknown };

const date = (at: number | null) => (at === null ? 'no' : new Date(at).toISOString());

/** Lists the messages that a queue gave up, newest first. @param all also replayed ones */
export async function deadLetters(all: boolean, { site, say }: Context): Promise<void> {
  const letters = await site.get<Listed[]>(`/dead-letters${all ? '?all=true' : ''}`);
  if (letters.length === 0) return say('No dead letters.');
  const rows = letters.map(({ id, stored_at, replayed_at, body }) => [
    id,
    date(stored_at),
    date(replayed_at),
    JSON.stringify(body),
  ]);
  for (const line of aligned([['id', 'since', 'replayed', 'message'], ...rows])) say(line);
}

export async function replay(id: string, key: string, context: Context): Promise<void> {
  await withRetries(context, () => context.site.post('/dead-letters', { id, key }));
  context.say(`Requeued ${id}.`);
}
