import { expect, test, vi } from 'vitest';
import { ask } from '../request.ts';

const APP_DOMAINS = 'app.example.com';

/** Where an address leads; null where it is answered itself. */
async function leadsTo(address: string, init: RequestInit = {}) {
  const response = await ask(address, init, { APP_DOMAINS });
  const location = response.headers.get('location');
  if (location) {
    expect(response.status).toBe(303);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  return location;
}

test.each([
  ['/?utm_content=ada%40example.com', '/'],
  ['/one_pager?gclid=G1&utm_term=ada%252540example.com&fbclid=F1', '/one_pager?gclid=G1&fbclid=F1'],
  ['/one_pager?utm_campaign=%2B1+212-555-0100&utm_source=s', '/one_pager?utm_source=s'],
  ['/one_pager?utm_campaign=+4915112345678', '/one_pager'],
  ['/one_pager?phone=(212)+555-0100', '/one_pager'],
  ['/one_pager?phone=4915112345678&user_email=&gclid=G1', '/one_pager?gclid=G1'],
  ['http://localhost//evil.example?utm_content=ada%40example.com&gclid=G1', '/?gclid=G1'],
  ['/no/page?utm_content=ada%40example.com', '/'],
  ['/one_pager?appDomain=evil.example&gclid=G1', '/one_pager?gclid=G1'],
])('personal query: %s redirects to %s', async (address, clean) =>
  expect(await leadsTo(address)).toBe(clean),
);

test.each([
  '/one_pager',
  '/one_pager?appDomain=app.example.com&utm_campaign=120210334455667&utm_term=Spring+sale',
  '/api/v1/geocode?city=ada%40example.com&country=US',
])('personal query: %s is not redirected', async (address) =>
  expect(await leadsTo(address)).toBeNull(),
);

test('personal query: the log has the number of parameters only', async () => {
  const log = vi.spyOn(console, 'info').mockImplementation(() => {});
  await leadsTo('/one_pager?utm_content=ada%40example.com&appDomain=evil.example');
  const lines = log.mock.calls.map(([line]) => String(line));
  log.mockRestore();
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ event: 'personal_query_removed', count: 2 });
  expect(lines.join()).not.toMatch(/ada|evil/);
});
