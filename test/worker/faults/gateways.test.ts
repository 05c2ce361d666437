import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../worker/payments/rules/attempt.ts';
import { approved, declining } from '../../fakes/test-nonces.ts';
import {
  buyer,
  forgetIntros,
  listen,
  openBanks,
  scaled,
  seeded,
} from '../payments/payments-fixture.ts';
import { drive } from '../payments/purchases/driven-object.ts';
import { hurry } from './faulty-binding.ts';

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
/** What stands in the place of an answer; `said` are the answers that were given before. */
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

/** A line that lies about a share of all calls, and may not even come to say so. */
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

beforeEach(() => {
  listen();
  hurry(1000);
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 1000));
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const gateways: GatewayName[] = ['stripe', 'braintree'];
const cases = gateways.flatMap((gateway) =>
  [...Object.keys(lies), 'nothing, ever'].map((name) => [gateway, name] as const),
);

test.each(cases)(
  '%s answers 3 calls of 10 with %s: the ledger is what was taken',
  { timeout: 1_800_000 },
  async (gateway, name) => {
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
      // Ten minutes of nothing but lies may end one that was never sent.
      expect(sold ? ['active', 'failed'] : ['declined', 'failed']).toContain(state);
    }
    expect(banks.taken().length).toBeGreaterThan(0);
  },
);
