import type { ErrorHandler } from 'hono';
import { translationsFor } from './content/translations.ts';
import type { App } from './env.ts';
import { type ErrorCode, Refusal, statuses, Unavailable } from './errors.ts';
import { crash, notice } from './pages.tsx';

/** Paths that programs ask, not people. */
const machines = /^\/(api|webhooks|admin)(\/|$)/;

function codeOf(error: Error): ErrorCode {
  if (error instanceof Refusal) return error.code;
  return error instanceof Unavailable ? 'unavailable' : 'unexpected';
}

/** Turns a refusal into its answer, and anything else into one plain sentence and a line of log. */
export const errorHandler: ErrorHandler<App> = async (error, c) => {
  const code = codeOf(error);
  if (error instanceof Unavailable) {
    c.var.log('error', 'unavailable', { key: error.binding, reason: error.message });
  } else if (code === 'unexpected') {
    c.var.log('error', 'unexpected', { reason: error.name, stack: stackOf(error) });
  } else {
    c.var.log('info', 'refused', { code });
  }
  if (machines.test(c.req.path)) {
    const language = c.var.visitor?.language ?? 'en';
    const messages = [translationsFor(language).errors(code)];
    return c.json({ errors: { code, messages } }, statuses[code], { 'cache-control': 'no-store' });
  }
  try {
    return await (code === 'unexpected' ? crash(c) : notice(c, code));
  } catch {
    // Nothing of a page may be there yet, or it may be the page that breaks.
    return c.text(translationsFor('en').errors('unexpected'), statuses.unexpected);
  }
};

/** Where it happened, without the message, which may quote what a visitor sent. */
const stackOf = (error: Error) =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 5)
    .join(' |');
