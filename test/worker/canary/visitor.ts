import type { Canary } from './secrets.ts';
import { agent, ip, secret } from './test-identities.ts';
import type { TracedSite } from './traced-site.ts';

/** A repeatable API call with a body. */
export interface Call {
  method: string;
  path: string;
  body?: unknown;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** The code in the fragment of a link. */
export const codeIn = (text: string) => /#([\w-]{22})/.exec(text)?.[1] ?? '';

/** A visitor from Germany with full consent, and the secrets that they learn. */
export function openVisitor(site: TracedSite, newCanaries: Canary[], calls: Call[]) {
  const headers: Record<string, string> = {
    'cf-ipcountry': 'DE',
    'accept-language': 'de',
    'user-agent': agent,
    'cf-connecting-ip': ip,
  };
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { ...headers, ...(cookie && { cookie }), ...(init.headers as object) };
    const response = await site.send(path, { ...init, headers: sent });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return response;
  }

  /** Calls the API; returns `data`, or the whole response without it. */
  async function call<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    calls.push({ method, path, body });
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' };
    // The invitee uses a separate browser.
    if (path.startsWith('/invitations/')) type.cookie = '';
    const text = await (await send(`/api/v1${path}`, { method, headers: type, ...json })).text();
    return (text ? JSON.parse(text) : {}) as Data;
  }

  return {
    send,
    get: <Data>(path: string) => call<Data>('GET', path),
    post: <Data>(path: string, body: unknown = {}) => call<Data>('POST', path, body),
    call,
    /** Posts a form without JavaScript. */
    form: (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        headers: { ...form, ...more },
        body: `${new URLSearchParams(fields)}`,
      }),
    /** Records a secret. */
    recordSecret(kind: string, ...written: string[]): string {
      newCanaries.push(secret(kind, ...written));
      return written[0] ?? '';
    },
    /** Makes the browser send a cookie from now on. */
    setCookie: (name: string, value: string) => void cookies.set(name, value),
    uuid: () => cookies.get('userUuid') ?? '',
    setToken(token: string): void {
      headers.authorization = `Bearer ${token}`;
    },
    authorization: () => headers.authorization ?? '',
    account(): string {
      const [, claims = ''] = (headers.authorization ?? '').split('.');
      return JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))).sub;
    },
  };
}

export type Visitor = ReturnType<typeof openVisitor>;
