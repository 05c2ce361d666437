import { setTimeout } from 'node:timers/promises';
import { jsonIn, jsonOf, textIn } from '../../worker/platform/read-json.ts';
import { CommandError } from '../command.ts';
import type { Run } from '../wrangler.ts';

export interface Credentials {
  account: string;
  token: string;
  /** URL of another API than Cloudflare's; wrangler reads the same variable. */
  base?: string;
}

/** Cloudflare refused the call. `codes` are listed at developers.cloudflare.com/api. */
export class CloudflareError extends CommandError {
  readonly status: number;
  readonly codes: number[];
  constructor(message: string, status: number, codes: number[]) {
    super(message);
    this.status = status;
    this.codes = codes;
  }
}

/** No Worker of this name (10007), or no environment of it (10090). */
export const isNoWorker = (error: unknown): boolean =>
  error instanceof CloudflareError && error.codes.some((code) => code === 10007 || code === 10090);

interface Envelope<T> {
  success: boolean;
  result: T;
  errors?: { code: number; message: string }[];
  result_info?: { page?: number; total_pages?: number; total_count?: number; per_page?: number };
}

/** Paths that begin with `/accounts/` are completed with the account's id. */
export interface Cloudflare {
  account: string;
  /** @throws CloudflareError for a refusal, CommandError without a response */
  get<T>(path: string): Promise<T>;
  /** @returns null for 404 */
  find<T>(path: string): Promise<T | null>;
  list<T>(path: string): Promise<T[]>;
  /** Sent once; after a lost reply the next run finds out what happened. */
  send<T>(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<T>;
  /** A value in KV. @returns null if missing */
  text(path: string): Promise<string | null>;
  putText(path: string, text: string): Promise<void>;
}

const pageSize = 100;
const timeoutMs = 30_000;
const retryDelaysMs = [500, 2000];

type Wait = (ms: number) => Promise<unknown>;

/** Sends requests; reading is retried. */
class Requests {
  readonly #credentials: Credentials;
  readonly #fetchApi: typeof fetch;
  readonly #wait: Wait;

  constructor(credentials: Credentials, fetchApi: typeof fetch, wait: Wait) {
    this.#credentials = credentials;
    this.#fetchApi = fetchApi;
    this.#wait = wait;
  }

  async send(method: string, path: string, body?: object | string): Promise<Response> {
    const { account, token, base = 'https://api.cloudflare.com/client/v4' } = this.#credentials;
    const fetchApi = this.#fetchApi;
    try {
      return await fetchApi(base + path.replace(/^\/accounts\//, `/accounts/${account}/`), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
        },
        body: typeof body === 'string' ? body : body && JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (cause) {
      const message = `Cloudflare did not answer ${method} ${path}. Run the command again.`;
      throw new CommandError(message, { cause });
    }
  }

  async read(path: string): Promise<Response> {
    for (const delayMs of retryDelaysMs) {
      const response = await this.send('GET', path).catch(() => null);
      if (response && response.status < 500 && response.status !== 429) return response;
      await this.#wait(delayMs);
    }
    return this.send('GET', path); // The last try throws.
  }
}

async function parse<T>(what: string, response: Response): Promise<Envelope<T>> {
  const envelope = (await jsonOf(response)) as Envelope<T> | undefined;
  if (response.ok && envelope?.success) return envelope;
  const errors = envelope?.errors ?? [];
  const reason = errors.map(({ message, code }) => `${message} (${code})`).join(', ');
  throw new CloudflareError(
    `Cloudflare refused ${what}: ${reason || `status ${response.status}`}`,
    response.status,
    errors.map(({ code }) => code),
  );
}

function unlessMissing(error: unknown) {
  if (error instanceof CloudflareError && error.status === 404) return null;
  throw error;
}

export function cloudflareApi(
  credentials: Credentials,
  fetchApi: typeof fetch = fetch,
  wait: Wait = setTimeout,
): Cloudflare {
  const requests = new Requests(credentials, fetchApi, wait);
  const envelopeOf = async <T>(path: string) => parse<T>(`GET ${path}`, await requests.read(path));
  const get = async <T>(path: string) => (await envelopeOf<T>(path)).result;
  return {
    account: credentials.account,
    get,
    find: <T>(path: string) => get<T>(path).catch(unlessMissing),
    async list<T>(path: string) {
      const items: T[] = [];
      for (let page = 1; ; page += 1) {
        const query = `${path.includes('?') ? '&' : '?'}page=${page}&per_page=${pageSize}`;
        const { result, result_info } = await envelopeOf<T[]>(path + query);
        items.push(...result);
        const { total_count = items.length, total_pages } = result_info ?? {};
        const isLast =
          total_pages === undefined ? items.length >= total_count : page >= total_pages;
        if (result.length === 0 || isLast) return items;
      }
    },
    async send<T>(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) {
      const response = await requests.send(method, path, body);
      return (await parse<T>(`${method} ${path}`, response)).result;
    },
    async text(path) {
      const response = await requests.read(path);
      if (response.status === 404) return null;
      if (!response.ok) await parse(`GET ${path}`, response);
      return response.text();
    },
    async putText(path, text) {
      await parse(`PUT ${path}`, await requests.send('PUT', path, text));
    },
  };
}

const loggedOut =
  'You are not logged in to Cloudflare. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN.';

/** Wrangler's login. @param choose asks which of several accounts to use */
export async function credentialsOf(
  run: Run,
  choose: (accounts: { id: string; name: string }[]) => Promise<string>,
  variables: NodeJS.ProcessEnv = process.env,
): Promise<Credentials> {
  const base = variables.CLOUDFLARE_API_BASE_URL;
  const signedIn =
    variables.CLOUDFLARE_API_TOKEN ??
    textIn(jsonIn((await run(['auth', 'token', '--json'])).stdout), 'token');
  if (!signedIn) throw new CommandError(loggedOut);
  const known = variables.CLOUDFLARE_ACCOUNT_ID;
  if (known) return { account: known, token: signedIn, base };
  const { stdout } = await run(['whoami', '--json']);
  type Login = { accounts?: { id: string; name: string }[] };
  const { accounts = [] }: Login = jsonIn(stdout) ?? {};
  const [only] = accounts;
  if (!only) throw new CommandError(loggedOut);
  const account = accounts.length === 1 ? only.id : await choose(accounts);
  return { account, token: signedIn, base };
}
