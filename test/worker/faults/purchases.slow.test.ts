import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { approved, declining } from '../../fakes/test-nonces.ts';
import { seeded } from '../../seeded-random.ts';
import { driveObject } from '../payments/attempts/driven-object.ts';
import {
  buy,
  buyer,
  countRows,
  type Fetch,
  forgetIntros,
  gateways,
  recordEmails,
  runAlarm,
  scaled,
  stubGateways,
  stubStripe,
} from '../payments/payments-fixture.ts';
import { outages, shortenTimers } from './faulty-binding.ts';

/** Returns the response that replaces one; `earlier` are the bodies of earlier responses. */
type ChangeLedger = (
  response: Response,
  earlier: readonly string[],
  random: () => number,
) => Promise<Response>;

const replacedBy = (body: string, type = 'application/json'): ChangeLedger => {
  return async ({ status }) => new Response(body, { status, headers: { 'content-type': type } });
};
const withBody =
  (change: (body: string) => string): ChangeLedger =>
  async (response) =>
    new Response(change(await response.text()), response);

const falsifications: Record<string, ChangeLedger> = {
  'an empty body': replacedBy(''),
  'a page of HTML': replacedBy('<!DOCTYPE html><title>Maintenance</title>', 'text/html'),
  'half of the body': withBody((body) => body.slice(0, body.length / 2)),
  'an empty object': replacedBy('{}'),
  null: replacedBy('null'),
  'an error body with status 200': replacedBy(
    '{"error":{"type":"api_error","message":"internal"}}',
  ),
  'the response to another call': async (response, earlier, random) => {
    return new Response(earlier[Math.floor(random() * earlier.length)] ?? '', response);
  },
  'wrong ids': withBody((body) => body.replaceAll(/"((?:pi|in|sub|cus)_)\w+"/g, '"$1foreign"')),
};

/** A connection that falsifies a share of all responses, or drops them. */
function falsifying(falsify: ChangeLedger | 'hangs', random: () => number) {
  const earlier: string[] = [];
  return (next: Fetch): Fetch =>
    async (input, init) => {
      const isWarmingUp = earlier.length < 20;
      const request = new Request(input, init);
      const signal = init?.signal ?? request.signal;
      const wrong = !isWarmingUp && random() < 0.3;
      if (wrong && falsify === 'hangs' && random() < 0.5) return neverResponds(signal);
      const response = await next(request);
      if (wrong && falsify === 'hangs') return neverResponds(signal);
      if (!wrong || falsify === 'hangs') {
        earlier.push(await response.clone().text());
        return response;
      }
      return falsify(response, earlier, random);
    };
}

const neverResponds = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

const cases = gateways.flatMap((gateway) =>
  [...Object.keys(falsifications), 'nothing'].map((name) => [gateway, name] as const),
);

test.each(cases)(
  'faults: %s answers 3 of 10 calls with %s: the ledger equals the captured money',
  { timeout: 1_800_000 },
  async (gateway, name) => {
    shortenTimers(1000);
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 1000));
    vi.useFakeTimers({ toFake: ['Date'] });
    const fakes = stubGateways({
      wrap: falsifying(falsifications[name] ?? 'hangs', seeded(name.length)),
    });
    for (let sale = 0; sale < scaled(80); sale += 1) {
      const sold = sale % 3 < 2;
      const nonce = (sold ? approved : declining)[gateway];
      const plan = sale % 3 === 1 ? 'monthly_7d_usd' : 'monthly_usd';
      const { stub, purchase } = buyer({ gateway, nonce, plan });
      await forgetIntros();
      const { state } = await driveObject(stub, (driven) => driven.buy(purchase));
      // Ten minutes of falsified responses may end an attempt that was never sent.
      expect(sold ? ['active', 'failed'] : ['declined', 'failed']).toContain(state);
    }
    expect(fakes.captured().length).toBeGreaterThan(0);
  },
);

const everything = outages.filter(([name]) => name === 'everything');

test.each(everything)(
  'faults: with %s failing around the object (every call %s) a plan and an extra are bought, and the copies follow later',
  async (_name, _fault, down) => {
    shortenTimers(100);
    const fake = stubStripe();
    const { stub, purchase } = buyer();
    await runInDurableObject(stub, (object: Purchases) => {
      const around = { ...env, ...down } as Env;
      Object.defineProperty(object, 'env', { value: around, configurable: true });
    });
    const plan = await buy(stub, purchase);
    const extra = await buy(stub, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
    expect([plan.state, extra.state]).toEqual(['active', 'active']);
    expect(fake.captures().map(({ amount }) => amount)).toEqual([3999, 799]);
    expect(await countRows(purchase.account)).toEqual([0, 0, 0]);
    const box = await recordEmails(stub);
    await runAlarm(stub);
    expect(await countRows(purchase.account)).toEqual([2, 2, 2]);
    expect(box.templates()).toEqual(['purchase_confirmation', 'purchase_confirmation']);
  },
);
