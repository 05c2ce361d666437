import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { app } from '../../worker/app.ts';
import type { Env } from '../../worker/platform/env.ts';

/** Sends a request through the whole app, with additional bindings. */
export async function request(path: string, init: RequestInit = {}, more: Partial<Env> = {}) {
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
  return request(`/api/v1${path}`, init, more);
}

/** Status and refusal of a response. */
export async function refusalOf(response: Response) {
  const { errors } = (await response.json()) as { errors: { code: string; messages: string[] } };
  return [response.status, errors.code, ...errors.messages];
}

/** Status and code of a refusal. */
export const statusAndCode = async (response: Response | Promise<Response>) =>
  (await refusalOf(await response)).slice(0, 2);
