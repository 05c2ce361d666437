import { describe, expect, test } from 'vitest';
import { walkVersion } from '../../../scripts/deploy/synthetic-walk.ts';

type Answer = (path: string) => Response | undefined;

/** A site with one version, some of whose responses are replaced. */
function walk(different: Answer = () => undefined) {
  const requested: { path: string; headers: Headers }[] = [];
  const pages = (path: string): Response => {
    if (path === '/healthz') return Response.json({ version: 'v2' });
    if (path.startsWith('/static/')) return new Response('');
    if (path === '/admin/monitoring/check') return Response.json({ data: { checks: [] } });
    const script = '<script src="/static/js/loader.js"></script>';
    return new Response(`<main data-screen="${path.slice(1)}">${script}</main>`);
  };
  const send = async (url: URL, init: RequestInit) => {
    requested.push({ path: url.pathname, headers: new Headers(init.headers) });
    return different(url.pathname) ?? pages(url.pathname);
  };
  const failure = walkVersion({
    site: 'https://funnel.example',
    worker: 'funnel',
    version: 'v2',
    token: 'secret',
    send: send as typeof fetch,
  });
  return { failure, requested };
}

describe('the walk through a version', () => {
  test('opens each screen up to the payment form and each script once, as a bot, in that version', async () => {
    const { failure, requested } = walk();
    expect(await failure).toBeNull();
    const paths = requested.map(({ path }) => path);
    expect(paths[0]).toBe('/healthz');
    expect(paths.filter((path) => path === '/static/js/loader.js')).toHaveLength(1);
    expect(paths).toEqual(expect.arrayContaining(['/one_pager', '/signup', '/checkout_v3_tr']));
    expect(paths.at(-1)).toBe('/admin/monitoring/check');
    for (const { path, headers } of requested) {
      expect(headers.get('cloudflare-workers-version-overrides')).toBe('funnel="v2"');
      expect(headers.get('user-agent')).toContain('bot');
      expect(headers.has('authorization')).toBe(path.startsWith('/admin/'));
    }
  });

  const failedCheck = { ok: false, market: 'euro', gateway: 'stripe', step: 'signup', reason: 'x' };
  test.each<[string, Answer, string]>([
    [
      'another version answers',
      (path) => (path === '/healthz' ? Response.json({ version: 'v1' }) : undefined),
      'version v1 answered instead',
    ],
    [
      'a page fails',
      (path) => (path === '/signup' ? new Response('', { status: 500 }) : undefined),
      '/signup answered 500',
    ],
    [
      'another screen is shown',
      (path) => (path === '/signup' ? new Response('<main data-screen="404">') : undefined),
      '/signup shows another screen',
    ],
    [
      'a script is missing',
      (path) => (path.startsWith('/static/') ? new Response('', { status: 404 }) : undefined),
      '/static/js/loader.js answered 404',
    ],
    [
      'the synthetic visitor fails',
      (path) =>
        path.startsWith('/admin/')
          ? Response.json({ data: { checks: [{ ok: true }, failedCheck] } })
          : undefined,
      'signup in market euro with stripe: x',
    ],
  ])('fails when %s', async (_when, different, reason) => {
    expect(await walk(different).failure).toBe(reason);
  });
});
