import * as v from 'valibot';
import { isIdentifier } from '../../http/rules/personal-data-detector.ts';

/** An event as the browser queues and sends it. `StoredEvent` adds what the edge knows of the visitor. */
export const sentEventSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w.-]{1,160}$/), v.check(isIdentifier)),
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,80}$/)),
  /** Ms since 1970, by the browser's clock. */
  at: v.optional(v.pipe(v.number(), v.safeInteger())),
  session: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{0,64}$/), v.check(isIdentifier)), ''),
  properties: v.optional(v.record(v.string(), v.unknown()), {}),
});

export type SentEvent = v.InferOutput<typeof sentEventSchema>;
