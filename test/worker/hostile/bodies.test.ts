import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/env.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { address } from '../accounts/product-api.ts';
import { changing, isForm, type Route, takesBody } from '../all-routes.ts';
import { scaled, seeded } from '../payments/payments-fixture.ts';
import { ask } from '../request.ts';
import { type Malformed, malformed } from './bodies.ts';

const operator = { ADMIN_TOKEN: 'a token of the tests' };
const kinds = Object.entries(malformed);
const count = scaled(5000);
/** What would tell of our insides. */
const insides =
  /\bat \S+ \(|\.tsx?\b|node_modules|(Type|Range|Syntax|Reference)Error|SQLITE|D1_|hono/;

const errors = vi.spyOn(console, 'error');
beforeEach(() => {
  for (const level of ['info', 'warn', 'debug'] as const) {
    vi.spyOn(console, level).mockReturnValue();
  }
  errors.mockReset();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Sends it as who may send something there. */
async function send(
  { method, path }: Route,
  { body, headers }: Malformed,
  more: Partial<Env> = {},
) {
  const token = path.startsWith('/admin')
    ? { authorization: `Bearer ${operator.ADMIN_TOKEN}` }
    : (await newAccount()).headers;
  const init = {
    method,
    body,
    headers: { 'content-type': 'application/json', ...token, ...headers },
  };
  const response = await ask(path, init, { ...operator, ...more });
  return { status: response.status, text: await response.text(), response };
}

/** Screens whose form asks for something, or says that it needs scripts; every other one leads on. */
const asking = /^\/(one_pager|signup|checkout|paycheck|upsell)/;

/**
 * A form says less than a call: where it asks for nothing, or nothing fits, it leads on to a page of
 * ours and keeps nothing. What browsers report has no shape of ours: what is JSON is heard, or not heard
 * any more.
 */
function isRefused(route: Route, status: number, response: Response): boolean {
  if (status >= 400 && status < 500) return true;
  if (route.route === '/api/v1/reports') return status === 204;
  const on = status === 303 && (response.headers.get('location') ?? '').startsWith('/');
  const kept = response.headers.getSetCookie().some((cookie) => /^(lng|carry)=[^;]/.test(cookie));
  return isForm(route) && !asking.test(route.path) && on && !kept;
}

test('hostile bodies: every route refuses every malformed body and reveals nothing', {
  timeout: 1_200_000,
}, async () => {
  const random = seeded(Date.now());
  const routes = changing.filter(takesBody);
  for (let index = 0; index < count; index += 1) {
    const route = routes[index % routes.length] as Route;
    // Each time that all routes had their turn, each takes the next kind.
    const at = (index + Math.floor(index / routes.length)) % kinds.length;
    const [name, make] = kinds[at] as (typeof kinds)[number];
    const { status, text, response } = await send(route, make(random));
    const what = [route.path, name, status];
    expect([...what, isRefused(route, status, response)]).toEqual([...what, true]);
    expect([...what, insides.exec(text)?.[0]]).toEqual([...what, undefined]);
    if (!isForm(route) && text) expect(JSON.parse(text).errors.code).toMatch(/^\w+$/);
  }
  const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.filter(({ event }) => event === 'request_failed')).toEqual([]);
});

test('hostile bodies: routes without a body ignore one', async () => {
  const random = seeded(1);
  for (const [at, [name, make]] of kinds.entries()) {
    const routes = changing.filter((route) => !takesBody(route));
    const route = routes[at % routes.length] as Route;
    const { status, text } = await send(route, make(random));
    expect([route.path, name, status < 500, insides.test(text)]).toEqual([
      route.path,
      name,
      true,
      false,
    ]);
  }
});

test('hostile bodies: with an outside product API they are refused there or here', async () => {
  const asked = vi.fn(async () => new Response('{}', { status: 400 }));
  vi.stubGlobal('fetch', asked);
  const random = seeded(1);
  const route = changing.find(({ route: one }) => one === '/api/v1/signup') as Route;
  for (const [name, make] of kinds) {
    const { status, text } = await send(route, make(random), { PRODUCT_API_URL: address });
    expect([name, status >= 400 && status < 500, insides.test(text)]).toEqual([name, true, false]);
  }
});

/** Ten megabytes that are made as they are read, and how many of them were. */
function endless() {
  const seen = { bytes: 0 };
  const piece = new Uint8Array(16 * 1024).fill(0x20);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.bytes += piece.length;
      if (seen.bytes > 10 * 1024 * 1024) controller.close();
      else controller.enqueue(piece);
    },
  });
  return { seen, stream };
}

test.each(changing.filter(takesBody))(
  'hostile bodies: $method $path reads no more than its limit',
  async (route) => {
    const largest = route.path.startsWith('/webhooks') ? 256 : 64;
    for (const size of [null, String(10 * 1024 * 1024)]) {
      const { seen, stream } = endless();
      const type = isForm(route) ? 'application/x-www-form-urlencoded' : 'application/json';
      const length: Record<string, string> = size ? { 'content-length': size } : {};
      const { status } = await send(route, {
        body: stream,
        headers: { 'content-type': type, ...length },
      });
      expect(status).toBe(413);
      expect(seen.bytes).toBeLessThanOrEqual(size ? 32 * 1024 : (largest + 48) * 1024);
    }
  },
);
