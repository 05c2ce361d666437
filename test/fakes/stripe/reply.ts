import { Refused } from './errors.ts';

export interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** What was thrown as a reply; a fault of the fake itself reads as Stripe's own 500. */
export function toReply(error: unknown): Reply {
  if (error instanceof Refused) {
    return { status: error.status, body: JSON.stringify({ error: error.body }, null, 2) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    status: 500,
    body: JSON.stringify({
      error: { type: 'api_error', message: `An error occurred: ${message}` },
    }),
  };
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
  'access-control-expose-headers': 'request-id, idempotent-replayed',
  'access-control-max-age': '300',
};

/** A reply with the headers that Stripe sends. https://docs.stripe.com/api/request_ids */
export function reply({ status, body, headers }: Reply, request: Request, id: string): Response {
  const echo: Record<string, string> = {};
  for (const name of ['idempotency-key', 'stripe-version']) {
    const value = request.headers.get(name);
    if (value) echo[name] = value;
  }
  return new Response(status === 204 || request.method === 'HEAD' ? null : body, {
    status,
    headers: {
      ...CORS,
      ...echo,
      'cache-control': 'no-cache, no-store',
      'content-type': 'application/json',
      ...(id ? { 'request-id': id } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Basic realm="Stripe"' } : {}),
      // The SDK: this header is "false in most cases when a 500 is returned, since our idempotency
      // framework would typically replay it anyway".
      ...(status === 500 ? { 'stripe-should-retry': 'false' } : {}),
      ...headers,
    },
  });
}
