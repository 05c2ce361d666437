import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { Hono } from 'hono';
import errors from '../../locales/en/errors.json';
import { deeplink } from '../../worker/api/deeplink.ts';
import { events } from '../../worker/api/events.ts';
import { guard } from '../../worker/api/guard.ts';
import { locate } from '../../worker/api/locate.ts';
import { me } from '../../worker/api/me.ts';
import { signup } from '../../worker/api/signup.ts';
import { upstream } from '../../worker/api/upstream.ts';
import type { App, Env } from '../../worker/env.ts';
import { Refusal, statuses } from '../../worker/errors.ts';
import { forms } from '../../worker/forms.ts';
import { builtInFlows } from '../../worker/funnel/flows.ts';
import { logger } from '../../worker/log.ts';

const app = new Hono<App>()
  .use(async (c, next) => {
    c.set('log', logger({}));
    c.set('visitor', {
      uuid: crypto.randomUUID(),
      country: c.req.header('cf-ipcountry') ?? 'US',
      language: 'en',
      query: c.req.query('gclid') ? { gclid: c.req.query('gclid') } : {},
    } as never);
    c.set('assignment', {
      landingType: 'split_fullPrice',
      flow: builtInFlows.default,
      configuration: { aliases: new Map() },
    } as never);
    await next();
  })
  .use('/api/v1/*', guard)
  .use('/api/v1/*', upstream)
  .route('/api/v1', signup)
  .route('/api/v1', me)
  .route('/api/v1', deeplink)
  .route('/api/v1', locate)
  .route('/api/v1', events)
  .route('/', forms)
  .onError((error, c) => {
    const code = error instanceof Refusal ? error.code : 'unexpected';
    if (code === 'unexpected') console.log(error);
    if (!c.req.path.startsWith('/api')) return c.html(errors[code], statuses[code]);
    return c.json({ errors: { code, messages: [errors[code]] } }, statuses[code]);
  });

/** Sends a request through the whole app, on top of the tests' bindings. */
export async function ask(path: string, init: RequestInit = {}, more: Partial<Env> = {}) {
  const context = createExecutionContext();
  const response = await app.request(path, init, { ...env, ...more }, context);
  await waitOnExecutionContext(context);
  return response;
}

/** POSTs a JSON body to the API. */
export function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  more: Partial<Env> = {},
) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  return ask(`/api/v1${path}`, init, more);
}

/** Status and refusal of an answer. */
export async function refusalOf(response: Response) {
  const { errors } = (await response.json()) as { errors: { code: string; messages: string[] } };
  return [response.status, errors.code, ...errors.messages];
}
