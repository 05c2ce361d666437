import type { ErrorHandler } from 'hono';
import { loadEnglish, translationsFor } from '../content/translations.ts';
import type { App } from '../platform/env.ts';
import { type ErrorCode, Refusal, statuses, Unavailable } from '../platform/errors.ts';
import { reasonOf } from '../platform/log.ts';
import { showCrash, showNotice } from './page-handlers.ts';

/** Clients of these paths do not display a page. */
const apiPaths = /^\/(api|webhooks|admin|healthz|status|tiles\.pmtiles)(\/|$)/;

function codeOf(error: Error): ErrorCode {
  if (error instanceof Refusal) return error.code;
  return error instanceof Unavailable ? 'unavailable' : 'unexpected';
}

export const errorHandler: ErrorHandler<App> = async (error, c) => {
  const code = codeOf(error);
  await loadEnglish();
  if (error instanceof Unavailable) {
    c.var.log('error', 'binding_unavailable', { binding: error.binding, reason: error.message });
  } else if (code === 'unexpected') {
    c.var.log('error', 'request_failed', { reason: error.name, stack: stackOf(error) });
  } else {
    c.var.log('info', 'request_refused', { code });
  }
  if (apiPaths.test(c.req.path)) {
    const language = c.var.visitor?.language ?? 'en';
    const messages = [translationsFor(language).errors(code)];
    const field = error instanceof Refusal ? error.field : undefined;
    const errors = { code, messages, field };
    return c.json({ errors }, statuses[code], { 'cache-control': 'no-store' });
  }
  try {
    return await (code === 'unexpected' ? showCrash(c) : showNotice(c, code));
  } catch (failed) {
    // The page itself may have failed, or the middleware that it needs.
    c.var.log('error', 'request_failed', { reason: reasonOf(failed) });
    return c.text(translationsFor('en').errors(code), statuses[code]);
  }
};

/** Five frames without the message, which may contain a visitor's input. */
const stackOf = (error: Error) =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 5)
    .join(' |');
