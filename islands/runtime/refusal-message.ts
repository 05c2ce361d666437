import type { Refused } from './api.ts';

/** The first message of a refusal; undefined when there is none. */
export function refusalMessage(error: unknown): string | undefined {
  const messages = (error as Refused | undefined)?.errors?.messages;
  const first = Array.isArray(messages) ? messages[0] : messages;
  return typeof first === 'string' && first ? first : undefined;
}
