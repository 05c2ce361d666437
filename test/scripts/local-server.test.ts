import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { adminSiteOf, localAddress, recordServer, serverOf } from '../../scripts/local-server.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'local-server-'));
const here = { url: 'http://localhost:8840', adminToken: 'of this start' };

afterEach(() => vi.unstubAllEnvs());

test('local server: a command reaches the server that uses the folder’s data, whatever its port', async () => {
  const state = folder();
  recordServer(state, here);
  const send = vi.fn(async () => Response.json({ data: 1 }));
  vi.stubGlobal('fetch', send);
  vi.stubEnv('ADMIN_TOKEN', '');
  await adminSiteOf({ state }).get('/check');
  vi.unstubAllGlobals();
  const [url, init] = (send.mock.calls as unknown as [URL, RequestInit][])[0] ?? [];
  expect(String(url)).toBe('http://localhost:8840/admin/check');
  expect(init?.headers).toMatchObject({ authorization: 'Bearer of this start' });
});

test('local server: without a running server every local command is refused', () => {
  vi.stubEnv('ADMIN_TOKEN', '');
  const state = folder();
  const refusal = /No server runs on the data in /;
  expect(() => adminSiteOf({ state })).toThrow(refusal);
  expect(() => adminSiteOf({ state, site: 'http://localhost:8787' })).toThrow(refusal);
  recordServer(state, here)();
  expect(() => adminSiteOf({ state })).toThrow(refusal);
  // The process was killed, so the record stayed.
  writeFileSync(join(state, 'server.json'), JSON.stringify({ ...here, pid: 2 ** 30 }));
  expect(() => adminSiteOf({ state })).toThrow(refusal);
  writeFileSync(join(state, 'server.json'), '{');
  expect(serverOf(state)).toBeNull();
});

test.each([
  ['http://localhost:8787', false],
  ['http://127.0.0.1:8787', false],
  ['http://[::1]:8787', false],
  ['http://localhost', false],
  ['http://localhost:8840', true],
  ['http://127.0.0.1:8840/', true],
])('local server: an address of another folder’s server is refused: %s', (site, isAllowed) => {
  vi.stubEnv('ADMIN_TOKEN', '');
  const state = folder();
  recordServer(state, here);
  const call = () => [adminSiteOf({ state, site }), localAddress(state, site)];
  if (isAllowed) expect(call).not.toThrow();
  else expect(call).toThrow(/belongs to another folder: the server on the data in .* is http:/);
});

test('local server: a token names a server by itself, and the live site needs one', () => {
  const state = folder();
  vi.stubEnv('ADMIN_TOKEN', '');
  expect(() => adminSiteOf({ state, site: 'https://funnel.example' })).toThrow('Set ADMIN_TOKEN');
  expect(() => adminSiteOf({ state, site: 'funnel.example' })).toThrow('not a URL');
  vi.stubEnv('ADMIN_TOKEN', 'secret');
  expect(() => adminSiteOf({ state, site: 'https://funnel.example' })).not.toThrow();
  expect(() => adminSiteOf({ state, site: 'http://localhost:8787' })).not.toThrow();
});
