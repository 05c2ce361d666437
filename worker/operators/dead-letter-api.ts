import * as v from 'valibot';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { audited, commandKey, typed } from './audited-command.ts';
import { listDeadLetters, returnDeadLetter, takeDeadLetter } from './dead-letter-table.ts';
import { replay } from './dead-letters.ts';

const command = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
  reason: v.optional(typed, 'replay'),
  key: commandKey,
  who: v.optional(typed),
});

/**
 * `GET /dead-letters` lists messages that their queues gave up, newest first; `?all=true` also those
 * that were replayed, `?before=` (ms since 1970) the page after. `POST /dead-letters` sends one to its
 * queue again, once for a key.
 */
export const getDeadLetters = createHandlers(async (c) => {
  const before = Number(c.req.query('before') ?? Number.MAX_SAFE_INTEGER);
  if (!Number.isSafeInteger(before)) throw new Refusal('malformed_body');
  const letters = await listDeadLetters(c.env.DB, before, c.req.query('all') === 'true');
  return c.json({ data: letters.map(({ body, ...rest }) => ({ ...rest, body: told(body) })) });
});

export const replayDeadLetter = createHandlers(jsonBody(command), async (c) => {
  const { id, key, reason, who } = c.req.valid('json');
  const deed = { who, what: 'replay', target: id, details: { key }, reason };
  const replayed = await audited(
    c,
    deed,
    async () => {
      const found = await takeDeadLetter(c.env.DB, id, key, Date.now());
      if (!found) throw new Refusal('not_found');
      if (!found.taken) return false;
      try {
        await replay(found.letter, c.env);
      } catch {
        await returnDeadLetter(c.env.DB, id, key);
        throw new Refusal('queue_unavailable');
      }
      return true;
    },
    (sent) => (sent ? 'sent' : 'sent before'),
  );
  return c.json({ data: { id, replayed } });
});

const told = (body: string): unknown => JSON.parse(body);
