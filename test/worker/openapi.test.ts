import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { statuses } from '../../worker/platform/errors.ts';
import { everyCall } from './all-routes.ts';
import { request } from './request.ts';

interface Operation {
  requestBody?: { content: Record<string, { schema: { properties: object } }> };
  responses: Record<string, { content?: unknown }>;
  security: object[];
}

const response = await request('/openapi.json');
const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };

const operationOf = (method: string, route: string) => {
  const path = route.replace('/api/v1', '').replace(/:(\w+)(\{.*?\}(?=\/|$))?/g, '{$1}');
  return paths[path]?.[method.toLowerCase()];
};
const codesOf = (operation: Operation | undefined): string[] =>
  [...JSON.stringify(operation?.responses ?? '').matchAll(/"description":"([^"]*)"/g)].flatMap(
    ([, codes = '']) => codes.split(', ').filter(Boolean),
  );

test('OpenAPI: describes every call of the API, and nothing else', () => {
  const described = Object.values(paths).flatMap((path) => Object.values(path));
  const calls = new Set(everyCall.map(({ method, route }) => `${method} ${route}`));
  calls.delete('POST /api/v1/*');
  for (const call of calls) {
    const [method = '', route = ''] = call.split(' ');
    expect([call, operationOf(method, route) !== undefined]).toEqual([call, true]);
  }
  expect(described).toHaveLength(calls.size);
});

test.each(everyCall.filter(({ route }) => !route.endsWith('*')))(
  'OpenAPI: $method $route answers as described, also with a malformed body and without a session',
  async ({ method, route, path }) => {
    const operation = operationOf(method, route);
    const json = { 'content-type': 'application/json' };
    for (const body of method === 'GET' ? [undefined] : ['{}', '{"', '[]']) {
      const reply = await request(path, { method, headers: body ? json : {}, body });
      expect(Object.keys(operation?.responses ?? {})).toContain(String(reply.status));
      if (reply.status < 400) continue;
      const { errors } = (await reply.json()) as { errors: { code: string } };
      expect(codesOf(operation)).toContain(errors.code);
    }
    for (const code of codesOf(operation)) expect(Object.keys(statuses)).toContain(code);
  },
);

test('OpenAPI: bodies are described by the schemas that validate them', () => {
  const bodyOf = (route: string) => operationOf('POST', route)?.requestBody?.content;
  expect(bodyOf('/api/v1/signup')).toMatchObject({
    'application/json': {
      schema: { type: 'object', properties: { email: { type: 'string' } } },
    },
  });
  expect(Object.keys(bodyOf('/api/v1/events') ?? {})).toEqual(['application/json', 'text/plain']);
  const orders = bodyOf('/api/v1/users/me/subscriptions/:plan')?.['application/json'];
  expect(orders?.schema.properties).toHaveProperty('payment_method_nonce');
  expect(bodyOf('/api/v1/users/me/sign-out')).toBeUndefined();
});

test('OpenAPI: every error code of the API is described', () => {
  const described = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap(codesOf)),
  );
  // Pages without JavaScript, webhooks, operators' calls, and a reason in an invitation's view.
  const elsewhere = [
    ...['javascript_required', 'webhook_refused', 'webhook_not_queued'],
    ...['payment_unknown', 'refund_too_large', 'refund_refused', 'idempotency_key_reused'],
    ...['gateway_ambiguous', 'queue_unavailable', 'written_elsewhere'],
  ];
  const missing = Object.keys(statuses).filter((code) => !described.has(code));
  expect(missing.sort()).toEqual(elsewhere.sort());
});

test('OpenAPI: production does not serve the description', async () => {
  const { status } = await request('/openapi.json', {}, { ...env, ENVIRONMENT: 'production' });
  expect(status).toBe(404);
});
