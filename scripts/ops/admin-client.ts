import { setTimeout } from 'node:timers/promises';
import { jsonOf } from '../../worker/platform/read-json.ts';
import { CommandError, print } from '../command.ts';

export interface Site {
  get<T>(path: string): Promise<T>;
  /** @throws Unconfirmed when the outcome is unknown; the same body may be sent again */
  post<T>(path: string, body: object): Promise<T>;
}

/** The reply was lost, or the payment provider did not confirm the command. */
export class Unconfirmed extends CommandError {}

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

interface ApiResponse {
  data?: unknown;
  errors?: { code: string; messages: string[]; field?: string };
}

/** @param operator the audit names it as a claim, unless the token has a name */
export function siteAt(
  address: string,
  token: string | undefined,
  operator: string,
  send: typeof fetch = fetch,
): Site {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${address} is not a URL that begins with https:// or http://.`);
  const isLocal = localHosts.has(url.hostname);
  if (!isLocal && url.protocol !== 'https:') {
    throw new CommandError('The token must not be sent unencrypted. Use https://.');
  }
  if (!token) throw new CommandError('Set ADMIN_TOKEN to the token of this site.');

  async function call<T>(path: string, init: RequestInit): Promise<T> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-operator': encodeURIComponent(operator),
    };
    const target = new URL(`/admin${path}`, address);
    const lost = `${url?.host} did not answer.`;
    const response = await send(target, { ...init, headers, redirect: 'error' }).catch((cause) => {
      throw new Unconfirmed(lost, { cause });
    });
    const body: ApiResponse = (await jsonOf(response)) ?? {};
    if (response.ok) return body.data as T;
    const { messages = [lost], field } = body.errors ?? {};
    const message = [...messages, ...(field ? [`Wrong: ${field}.`] : [])].join(' ');
    if (response.status >= 500) throw new Unconfirmed(message);
    if (body.errors?.code === 'not_found') {
      throw new CommandError(
        isLocal
          ? `Not found. The id is wrong, or ${url?.host} is the server of another folder.`
          : 'Not found. The token or the id is wrong, or the site has no ADMIN_TOKEN.',
      );
    }
    throw new CommandError(message);
  }

  return {
    get: (path) => call(path, { method: 'GET' }),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}

export interface AdminContext {
  site: Site;
  print: (line: string) => void;
  wait: (ms: number) => Promise<void>;
}

export const adminContextOf = (site: Site): AdminContext => ({
  site,
  print,
  wait: (ms) => setTimeout(ms),
});

const retryDelaysMs = [1000, 4000];

/** Only for idempotent commands. @throws Unconfirmed after the third try */
export async function withRetries<T>(
  { wait }: Pick<AdminContext, 'wait'>,
  send: () => Promise<T>,
): Promise<T> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Unconfirmed)) throw error;
      await wait(delayMs);
    }
  }
  return send();
}
