import { expect, test } from 'vitest';
import { builtInFlows } from '../../worker/experiments/rules/flows.ts';
import { attributes } from './open-page.ts';
import { post, request, statusAndCode } from './request.ts';

test.each(['config.json', 'flows.json'] as const)('app: /%s is served as JSON', async (name) => {
  const response = await request(`/${name}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
});

test('app: the built-in documents have six flows and one arm of 100 %', async () => {
  expect(await (await request('/flows.json')).json()).toMatchObject({ flows: builtInFlows });
  expect(await (await request('/config.json')).json()).toEqual({
    experiment: 'built-in',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  });
});

test('app: the production configuration contains no test flow', async () => {
  const production = { ENVIRONMENT: 'production' } as const;
  const { flows } = (await (await request('/flows.json', {}, production)).json()) as {
    flows: object;
  };
  expect(flows).toEqual(builtInFlows);
});

test.each([
  ['DELETE', '/one_pager', 'text/html'],
  ['PUT', '/config.json', 'text/html'],
])('app: %s %s is not found', async (method, path, type) => {
  const response = await request(path, { method });
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toContain(type);
});

test('app: an unknown API path is refused as JSON', async () => {
  for (const response of [await request('/api/v1/nothing'), await post('/nothing', {})])
    expect(await statusAndCode(response)).toEqual([404, 'not_found']);
});

test('app: HEAD is GET without the body', async () => {
  const response = await request('/one_pager', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(response.headers.get('content-security-policy')).toBeTruthy();
});

test('app: odd paths are not found', async () => {
  for (const path of ['/%', '/%00', '/%E0%A4%A', '//evil.test', '/..%2f', `/${'a'.repeat(4000)}`])
    expect([path, (await request(path)).status]).toEqual([path, 404]);
});

test('app: the page uses the served configuration', async () => {
  const html = await (await request('/')).text();
  expect(attributes(html, 'main')).toMatchObject({
    'data-flow': 'default',
    'data-arm': 'fullPrice',
  });
});
