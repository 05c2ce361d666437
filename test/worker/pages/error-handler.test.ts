import { createExecutionContext, env } from 'cloudflare:test';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import words from '../../../locales/en/errors.json';
import { recordExposures } from '../../../worker/analytics/exposure.ts';
import { assignmentFrom } from '../../../worker/experiments/assignment.ts';
import { LiveConfig } from '../../../worker/experiments/live-config.ts';
import { requestLog } from '../../../worker/http/request-log.ts';
import { errorHandler } from '../../../worker/pages/error-handler.ts';
import type { App } from '../../../worker/platform/env.ts';
import { type ErrorCode, Refusal, statuses, Unavailable } from '../../../worker/platform/errors.ts';
import { visitor } from '../../../worker/visitor/visitor.ts';
import { attributes, texts } from '../open-page.ts';

// One for all tests, so that only the first reads the documents.
const assignment = assignmentFrom(new LiveConfig(), recordExposures);

/** The response to an error thrown by a page or an API handler. */
async function answerTo(error: Error, path: string, language = 'en', more = {}) {
  const app = new Hono<App>().use(requestLog).use(visitor, assignment).onError(errorHandler);
  app.get('*', () => {
    throw error;
  });
  const init = { headers: { 'accept-language': language } };
  const response = await app.request(path, init, { ...env, ...more }, createExecutionContext());
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const codes = Object.keys(statuses) as ErrorCode[];

test.each(codes)('error handler: %s is one sentence in the API and on a page', async (code) => {
  const api = await answerTo(new Refusal(code), '/api/v1/x');
  expect(api.status).toBe(statuses[code]);
  expect(JSON.parse(api.body)).toEqual({ errors: { code, messages: [words[code]] } });
  expect(api.headers.get('cache-control')).toBe('no-store');
  const page = await answerTo(new Refusal(code), '/x');
  expect(page.status).toBe(statuses[code]);
  expect(texts(page.body, 'h1')).toEqual([words[code]]);
});

test('error handler: other errors are unexpected, without their message', async () => {
  const error = new RangeError('SELECT secret FROM accounts');
  const api = await answerTo(error, '/api/v1/x');
  expect([api.status, JSON.parse(api.body).errors.code]).toEqual([500, 'unexpected']);
  const page = await answerTo(error, '/x');
  expect([page.status, attributes(page.body, 'main')['data-screen']]).toEqual([500, 'crash']);
  for (const { body } of [api, page]) {
    expect(body).toContain('Unexpected Application Error!');
    expect(body).not.toMatch(/SELECT|RangeError/);
  }
});

test('error handler: a failing binding is named only in the log', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const { status, body } = await answerTo(new Unavailable('DB', 'no answer'), '/api/v1/x');
  expect([status, JSON.parse(body).errors]).toEqual([
    503,
    { code: 'unavailable', messages: [words.unavailable] },
  ]);
  expect(JSON.parse(error.mock.calls[0]?.[0])).toMatchObject({
    event: 'binding_unavailable',
    binding: 'DB',
    reason: 'no answer',
  });
  vi.restoreAllMocks();
});

test('error handler: refusals log info, bugs log error with a stack', async () => {
  const info = vi.spyOn(console, 'info').mockReturnValue();
  const error = vi.spyOn(console, 'error').mockReturnValue();
  await answerTo(new Refusal('purchase_in_progress'), '/x');
  expect(JSON.parse(info.mock.calls[0]?.[0])).toMatchObject({
    event: 'request_refused',
    code: 'purchase_in_progress',
  });
  expect(error).not.toHaveBeenCalled();
  await answerTo(new RangeError('secret'), '/x');
  const line = JSON.parse(error.mock.calls.at(-1)?.[0]);
  expect(line).toMatchObject({ event: 'request_failed', reason: 'RangeError' });
  expect(line.stack.split('|').length).toBeLessThanOrEqual(5);
  expect(line.stack).not.toContain('secret');
  vi.restoreAllMocks();
});

test('error handler: early errors, and errors of the error page, are plain text', async () => {
  const early = (path: string) => {
    const app = new Hono<App>().use(requestLog).onError(errorHandler);
    app.get('*', () => {
      throw new TypeError('early');
    });
    return app.request(path, {}, env, createExecutionContext());
  };
  const page = await early('/x');
  expect([page.status, await page.text()]).toEqual([500, words.unexpected]);
  const api = await early('/api/v1/x');
  expect(await api.json()).toEqual({
    errors: { code: 'unexpected', messages: [words.unexpected] },
  });
  const names = vi.spyOn(Intl, 'DisplayNames').mockImplementation(
    class {
      constructor() {
        throw new RangeError('late');
      }
    } as never,
  );
  // Without the build's file, the page asks the runtime for the country's name.
  const ASSETS = { fetch: async () => new Response('', { status: 404 }) };
  const { status, body } = await answerTo(new TypeError('x'), '/x', 'de', { ASSETS });
  names.mockRestore();
  expect([status, body]).toEqual([500, words.unexpected]);
});
