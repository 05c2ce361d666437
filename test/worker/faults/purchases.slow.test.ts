import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/env.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import { approved, declining } from '../../fakes/test-nonces.ts';
import { seeded } from '../../seeded.ts';
import { drive } from '../payments/attempts/driven-object.ts';
import {
  buy,
  buyer,
  countRows,
  type Fetch,
  forgetIntros,
  gateways,
  openBank,
  openBanks,
  recordEmails,
  runAlarm,
  scaled,
} from '../payments/payments-fixture.ts';
import { outages, shortenTimers } from './faulty-binding.ts';

/** A replaced response; `said` are the earlier responses. */
type Lie = (answer: Response, said: readonly string[], random: () => number) => Promise<Response>;

const instead = (body: string, type = 'application/json'): Lie => {
  return async ({ status }) => new Response(body, { status, headers: { 'content-type': type } });
};
const changed =
  (change: (body: string) => string): Lie =>
  async (answer) =>
    new Response(change(await answer.text()), answer);

const lies: Record<string, Lie> = {
  'an empty body': instead(''),
  'a page of HTML': instead('<!DOCTYPE html><title>Maintenance</title>', 'text/html'),
  'half of the body': changed((body) => body.slice(0, body.length / 2)),
  'an empty object': instead('{}'),
  null: instead('null'),
  'an error body with its 200': instead('{"error":{"type":"api_error","message":"internal"}}'),
  'what it said to another call': async (answer, said, random) => {
    const other = said[Math.floor(random() * said.length)] ?? '';
    return new Response(other, answer);
  },
  'wrong ids': changed((body) => body.replaceAll(/"((?:pi|in|sub|cus)_)\w+"/g, '"$1foreign"')),
};

/** A connection that falsifies a share of all responses, or drops them. */
function lying(lie: Lie | 'hangs', random: () => number) {
  const said: string[] = [];
  return (next: Fetch): Fetch =>
    async (input, init) => {
      const honest = said.length < 20;
      const request = new Request(input, init);
      const signal = init?.signal ?? request.signal;
      const wrong = !honest && random() < 0.3;
      if (wrong && lie === 'hangs' && random() < 0.5) return silence(signal);
      const answer = await next(request);
      if (wrong && lie === 'hangs') return silence(signal);
      if (!wrong || lie === 'hangs') {
        said.push(await answer.clone().text());
        return answer;
      }
      return lie(answer, said, random);
    };
}

const silence = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

const cases = gateways.flatMap((gateway) =>
  [...Object.keys(lies), 'nothing, ever'].map((name) => [gateway, name] as const),
);

test.each(cases)(
  'faults: %s answers 3 calls of 10 with %s: the ledger equals the captured money',
  { timeout: 1_800_000 },
  async (gateway, name) => {
    shortenTimers(1000);
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 1000));
    vi.useFakeTimers({ toFake: ['Date'] });
    const random = seeded(name.length);
    const banks = openBanks({
      now: () => Date.now(),
      line: lying(lies[name] ?? 'hangs', random),
    });
    for (let sale = 0; sale < scaled(80); sale += 1) {
      const sold = sale % 3 < 2;
      const nonce = (sold ? approved : declining)[gateway];
      const plan = sale % 3 === 1 ? 'monthly_7d_usd' : 'monthly_usd';
      const { stub, purchase } = buyer({ gateway, nonce, plan });
      await forgetIntros();
      const { state } = await drive(stub, (driven) => driven.buy(purchase));
      // Ten minutes of falsified responses may end an attempt that was never sent.
      expect(sold ? ['active', 'failed'] : ['declined', 'failed']).toContain(state);
    }
    expect(banks.taken().length).toBeGreaterThan(0);
  },
);

const everything = outages.filter(([name]) => name === 'everything');

test.each(everything)(
  'faults: with %s failing around the object (every call %s) a plan and an extra are bought, and the copies follow later',
  async (_name, _fault, down) => {
    shortenTimers(100);
    const bank = openBank();
    const { stub, purchase } = buyer();
    await runInDurableObject(stub, (object: Purchases) => {
      const around = { ...env, ...down } as Env;
      Object.defineProperty(object, 'env', { value: around, configurable: true });
    });
    const plan = await buy(stub, purchase);
    const extra = await buy(stub, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
    expect([plan.state, extra.state]).toEqual(['active', 'active']);
    expect(bank.captures().map(({ amount }) => amount)).toEqual([3999, 799]);
    expect(await countRows(purchase.account)).toEqual([0, 0, 0]);
    const box = await recordEmails(stub);
    await runAlarm(stub);
    expect(await countRows(purchase.account)).toEqual([2, 2, 2]);
    expect(box.templates()).toEqual(['purchase_confirmation', 'purchase_confirmation']);
  },
);
