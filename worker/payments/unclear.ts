import { logger } from '../log.ts';

const log = logger();

/**
 * Logs that a gateway gave no clear answer: what kind of error it was, without its message, which
 * may quote what was sent.
 */
export function logAmbiguousResponse(
  error: unknown,
  context: { vendor?: string; attempt?: string } = {},
): void {
  const known = error instanceof Error ? error : new Error();
  const { type = known.name, code } = known as { type?: string; code?: string };
  log('warn', 'gateway_ambiguous', { ...context, reason: type, code });
}
