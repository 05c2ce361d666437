import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { ownRoutes } from '../../../worker/app.ts';
import { walk, walkAll, walksOf } from '../../../worker/monitoring/synthetic-walks.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { stubGateways } from '../payments/payments-fixture.ts';

/** Walks like the cron handler, and waits for the requests' background work. */
async function runWalk<T>(
  walking: (funnel: Parameters<typeof walkAll>[0]) => Promise<T>,
  more: Partial<Env> = {},
): Promise<T> {
  const context = createExecutionContext();
  const result = await walking({ routes: ownRoutes, env: { ...env, ...more }, context });
  await waitOnExecutionContext(context);
  return result;
}

const counted = async (sql: string) => env.DB.prepare(sql).first<number>('n');
const numbers = async () =>
  Promise.all([
    counted("SELECT COUNT(*) AS n FROM accounts WHERE arm <> 'synthetic'"),
    counted("SELECT COUNT(*) AS n FROM attempts WHERE arm <> 'synthetic'"),
    counted("SELECT COUNT(*) AS n FROM ledger WHERE arm <> 'synthetic'"),
    counted('SELECT COUNT(*) AS n FROM conversions'),
  ]);

test('synthetic visitor: walks to the payment form in each market with each provider', async () => {
  stubGateways();
  const checks = await runWalk((funnel) => walkAll(funnel, 3));
  expect(checks.map(({ ok, step, reason }) => [ok, step, reason])).toEqual(
    checks.map(({ bought, gateway }) => [
      true,
      bought ? 'refund' : 'provider',
      '',
      ...(gateway ? [] : ['no gateway']),
    ]),
  );
  expect(checks.map(({ market, gateway }) => `${market} ${gateway}`)).toEqual(
    ['stripe', 'braintree'].flatMap((gateway) =>
      ['us', 'euro', 'europe', 'consent', 'other'].map((market) => `${market} ${gateway}`),
    ),
  );
  expect(checks.filter(({ bought }) => bought)).toHaveLength(1);
});

test.each([0, 1, 5, 6])(
  'synthetic visitor: walk %i buys and refunds, and is not counted anywhere',
  async (at) => {
    const before = await numbers();
    const fakes = stubGateways();
    const sent = vi.spyOn(env.EVENT_QUEUE, 'send');
    const mailed = vi.spyOn(env.EMAIL_QUEUE, 'send');
    const one = walksOf(env)[at];
    if (!one) throw new RangeError('no such walk');
    const check = await runWalk((funnel) => walk(one, funnel, true));
    expect(check).toMatchObject({ ok: true, reason: '', bought: true, gateway: one.gateway });
    await vi.waitFor(() => {
      const captured = fakes.captured();
      expect(captured).toHaveLength(1);
      expect(captured[0]?.refunded).toBe(captured[0]?.amount);
    }, pollTimeout);
    // The same visitor can buy again: its account was deleted.
    expect((await runWalk((funnel) => walk(one, funnel, true))).ok).toBe(true);
    expect(sent).not.toHaveBeenCalled();
    expect(mailed).not.toHaveBeenCalled();
    expect(await numbers()).toEqual(before);
  },
);

test('synthetic visitor: buys nothing with live keys', async () => {
  const fakes = stubGateways();
  const [one] = walksOf(env);
  if (!one) throw new RangeError('no walk');
  const check = await runWalk((funnel) => walk(one, funnel, true), {
    STRIPE_SECRET_KEY: 'sk_live_key',
  });
  // The fake accepts test keys only, and its refusal looks like that of a revoked key.
  expect(check).toMatchObject({ ok: false, step: 'provider', bought: false });
  expect(fakes.captured()).toEqual([]);
});

test('synthetic visitor: a provider that is down fails its own step, and only in its own walks', async () => {
  stubGateways({
    wrap: (next) => async (input, init) => {
      const { hostname } = new URL(new Request(input).url);
      if (hostname.endsWith('stripe.com')) return new Response('down', { status: 500 });
      return next(input, init);
    },
  });
  const checks = await runWalk((funnel) => walkAll(funnel, 9));
  for (const { gateway, ok, step } of checks) {
    if (gateway === 'stripe') expect([ok, step]).toEqual([false, 'provider']);
    else expect(ok).toBe(true);
  }
});

test('synthetic visitor: a failing page is reported as the failed step', async () => {
  stubGateways();
  const [one] = walksOf(env);
  if (!one) throw new RangeError('no walk');
  const broken = (request: Request, given: Env, context: unknown) =>
    new URL(request.url).pathname === '/signup'
      ? new Response('no', { status: 503 })
      : ownRoutes(request, given, context);
  const check = await runWalk((funnel) => walk(one, { ...funnel, routes: broken }, true));
  expect(check).toMatchObject({ ok: false, step: 'signup', reason: 'status 503' });
});

test('synthetic visitor: an outside request cannot pose as the synthetic visitor', async () => {
  const headers = { 'user-agent': 'funnel-synthetic-visitor', 'accept-language': 'en' };
  const context = createExecutionContext();
  const request = new Request('https://funnel.test/one_pager', { headers });
  const response = await ownRoutes(request, env, context);
  await response.text();
  await waitOnExecutionContext(context);
  expect(response.headers.get('set-cookie')).toContain('Max-Age=31536000');
});
