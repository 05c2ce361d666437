const base = '/api/v1';

export interface Answer<Body> {
  status: number;
  body: Body;
}

interface Request {
  /** Sent as JSON by POST; GET when left out. */
  body?: unknown;
  method?: 'DELETE';
  /** Access token. */
  bearer?: string;
  /** Lets the request outlive the document. */
  keepalive?: boolean;
}

type Renewed = (before: string, token: string) => void;

let renewed: Renewed = () => {};

/** Tells of each access token that an answer brings, and which one it takes the place of. */
export function onRenewal(hear: Renewed): void {
  renewed = hear;
}

let ended: (bearer: string) => void = () => {};

/** Tells of each access token that the server no longer takes. */
export function onEnd(hear: (bearer: string) => void): void {
  ended = hear;
}

/**
 * Calls the product's API and tells the status too, for answers that mean "not yet".
 *
 * @throws the parsed body when the answer is not ok (empty when it is not JSON); an Error when
 *   there is no answer, or one that is ok but no JSON
 */
export async function request<Body>(
  path: string,
  { body, method, bearer, keepalive }: Request = {},
): Promise<Answer<Body>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (bearer) headers.authorization = `Bearer ${bearer}`;
  const response = await fetch(base + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    body: body === undefined ? undefined : JSON.stringify(body),
    headers,
    keepalive,
  });
  const next = response.headers.get('x-access-token');
  if (bearer && next) renewed(bearer, next);
  if (bearer && response.status === 401) ended(bearer);
  if (!response.ok) throw await response.json().catch(() => ({}));
  const answer = (await response.json()) as Body;
  return { status: response.status, body: answer };
}

/** Calls the product's API: POST when there is a body, GET otherwise. Throws as `request`. */
export async function call<Body>(path: string, options?: Request): Promise<Body> {
  return (await request<Body>(path, options)).body;
}

interface Refused {
  errors?: { messages?: unknown; code?: unknown };
}

/** The first message of a refusal, or undefined when the answer gave none. */
export function messageOf(error: unknown): string | undefined {
  const messages = (error as Refused | undefined)?.errors?.messages;
  const first = Array.isArray(messages) ? messages[0] : messages;
  return typeof first === 'string' && first ? first : undefined;
}

/** The code of a refusal. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as Refused | undefined)?.errors?.code;
  return typeof code === 'string' ? code : undefined;
}
