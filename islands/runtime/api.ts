import { landingKey, readItem } from './storage/state-storage.ts';

const base = '/api/v1';

export interface Answer<Body> {
  status: number;
  body: Body;
}

interface Request {
  body?: unknown;
  method?: 'DELETE';
  bearer?: string;
  headers?: Record<string, string>;
  keepalive?: boolean;
}

type RenewalHandler = (before: string, token: string) => void;

let handleRenewal: RenewalHandler = () => {};

export function onTokenRenewed(handler: RenewalHandler): void {
  handleRenewal = handler;
}

let handleRejection: (bearer: string) => void = () => {};

export function onTokenRejected(handler: (bearer: string) => void): void {
  handleRejection = handler;
}

/**
 * Calls the product's API and returns the status, for responses that mean "not yet".
 * @throws the parsed body of an error response (empty when it is not JSON); an Error when the network fails or a
 * successful response is not JSON
 */
export async function request<Body>(
  path: string,
  { body, method, bearer, headers: more, keepalive }: Request = {},
): Promise<Answer<Body>> {
  const headers: Record<string, string> = { accept: 'application/json', ...more };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const landing = readItem('localStorage', landingKey);
  if (landing) headers['x-landing'] = landing;
  if (bearer) headers.authorization = `Bearer ${bearer}`;
  const response = await fetch(base + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    // Undefined stays so.
    body: JSON.stringify(body),
    headers,
    keepalive,
  });
  const next = response.headers.get('x-access-token');
  if (bearer && next) handleRenewal(bearer, next);
  if (bearer && response.status === 401) handleRejection(bearer);
  if (!response.ok) throw await response.json().catch(() => ({}));
  const answer: Body = await response.json();
  return { status: response.status, body: answer };
}

/** POST with a body, otherwise GET. Throws as `request` does. */
export async function call<Body>(path: string, options?: Request): Promise<Body> {
  return (await request<Body>(path, options)).body;
}

export interface Refused {
  errors?: { messages?: unknown; code?: unknown };
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as Refused | undefined)?.errors?.code;
  return typeof code === 'string' ? code : undefined;
}
