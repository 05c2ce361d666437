import { runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../worker/funnel/purchase.ts';
import { patience } from '../../patience.ts';
import { buyer, open } from './bank.ts';
import { approved, kept, openBanks } from './banks.ts';
import { balances } from './books.ts';

const minute = 60_000;
const hour = 60 * minute;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

type Dark = 'nothing arrives' | 'replies are lost';

const cases = (['stripe', 'braintree'] satisfies GatewayName[]).flatMap((gateway) =>
  (['nothing arrives', 'replies are lost'] satisfies Dark[]).flatMap((dark) =>
    [9 * minute, 10 * minute, 24 * hour, 25 * hour].map((ms) => [gateway, dark, ms] as const),
  ),
);

/** What moves money, or could. */
const isSend = (request: Request, body: string) =>
  request.method !== 'GET' && !/\b(search|query)\b/.test(body.slice(0, 40));

test.each(cases)('%s dark (%s) for %i ms', { timeout: 120_000 }, async (gateway, how, ms) => {
  const start = Date.now();
  let dark = true;
  let lateSends = 0;
  let chargesBefore = 0;
  const bank = openBanks({
    now: () => Date.now(),
    line: (next) => async (input, init) => {
      const request = new Request(input, init);
      const body = await request.clone().text();
      const customer = /customers?\b/.test(request.url);
      // Who pays is known; the outage begins with the money.
      if (!dark || customer) {
        const before = bank.taken().length;
        const answer = await next(request);
        const charged = bank.taken().length > before;
        if (charged && isSend(request, body) && Date.now() - start > 10 * minute) lateSends += 1;
        return answer;
      }
      if (how === 'replies are lost') await next(request);
      throw new TypeError('network connection lost');
    },
  });
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
  const id = await open(stub, purchase);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(stub);
    expect((await stub.result(id))?.tries).toBeGreaterThan(0);
  }, patience);
  chargesBefore = bank.taken().length;
  vi.setSystemTime(start + ms);
  dark = false;
  const attempt = await vi.waitFor(async () => {
    vi.setSystemTime(Date.now() + minute);
    await runDurableObjectAlarm(stub);
    const found = await stub.result(id);
    expect(['active', 'failed']).toContain(found?.state);
    return found;
  }, patience);
  // Found charges are kept, the rest is a definite failure; nothing is charged after ten minutes.
  expect(lateSends).toBe(0);
  if (chargesBefore > 0) expect(attempt?.state).toBe('active');
  expect(kept(bank.taken())).toHaveLength(attempt?.state === 'active' ? 1 : 0);
  await balances(stub, bank.taken());
});
