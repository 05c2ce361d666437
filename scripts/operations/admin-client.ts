import { CommandError } from '../command-error.ts';
import { developmentVars } from '../development-vars.ts';

/** The operators' API of a running site. */
export interface Site {
  get<T>(path: string): Promise<T>;
  /** @throws Unconfirmed when nobody knows whether it happened; the same body may be sent again */
  post<T>(path: string, body: object): Promise<T>;
}

/** A command whose reply was lost, or that the payment provider did not confirm. */
export class Unconfirmed extends CommandError {}

const local = new Set(['localhost', '127.0.0.1', '[::1]']);

interface Answer {
  data?: unknown;
  errors?: { code: string; messages: string[] };
}

/**
 * @param address of the site, such as `https://funnel.example`
 * @param token `ADMIN_TOKEN`; on this machine the one of `npm start` when it is not set
 * @param who is named in the audit
 */
export function siteAt(
  address: string,
  token: string | undefined,
  who: string,
  send: typeof fetch = fetch,
): Site {
  const url = URL.parse(address);
  if (!url) throw new CommandError(`${address} is no address.`);
  const here = local.has(url.hostname);
  if (!here && url.protocol !== 'https:') {
    throw new CommandError('The token must not travel unencrypted: write https://.');
  }
  const secret = token || (here ? developmentVars.ADMIN_TOKEN : '');
  if (!secret) throw new CommandError('Set ADMIN_TOKEN to the token of this site.');

  async function call<T>(path: string, init: RequestInit): Promise<T> {
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'x-operator': encodeURIComponent(who),
    };
    const target = new URL(`/admin${path}`, address);
    const lost = `${url?.host} did not answer.`;
    const answer = await send(target, { ...init, headers, redirect: 'error' }).catch(() => {
      throw new Unconfirmed(lost);
    });
    const body = (await answer.json().catch(() => ({}))) as Answer;
    if (answer.ok) return body.data as T;
    const said = body.errors?.messages.join(' ') ?? lost;
    if (answer.status >= 500) throw new Unconfirmed(said);
    if (body.errors?.code === 'not_found') {
      throw new CommandError('There is nothing: wrong token, wrong name, or no ADMIN_TOKEN there.');
    }
    throw new CommandError(said);
  }

  return {
    get: (path) => call(path, { method: 'GET' }),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}
