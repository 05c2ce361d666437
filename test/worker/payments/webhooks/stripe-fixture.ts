import { env } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/purchase-request.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { buy, buyer, openBank } from '../purchases/fake-gateway.ts';

/** A Stripe whose clock is the tests', and a line to it that can lose replies, or be dead. */
export function openLine() {
  const line = { dead: false, lose: (_call: string) => false, calls: [] as string[] };
  const bank = openBank(
    undefined,
    (next) => async (input, init) => {
      const { method, url } = new Request(input, init);
      const call = `${method} ${new URL(url).pathname}`;
      line.calls.push(call);
      if (line.dead) {
        return Response.json({ error: { type: 'authentication_error' } }, { status: 401 });
      }
      const answer = await next(input, init);
      // Not a lost connection: the client would repeat that itself, with pauses.
      if (line.lose(call)) return new Response('', { status: 401 });
      return answer;
    },
    { now: () => Date.now() },
  );
  return { bank, line };
}

/** An account that has bought, and whose purchase is in D1. */
export async function buyOne(change: Partial<Purchase> = {}) {
  const { stub, purchase } = buyer(change);
  const { id: attempt, charge, state } = await buy(stub, purchase);
  const projected = () =>
    env.DB.prepare('SELECT state FROM purchases WHERE attempt = ?').bind(attempt).first('state');
  await vi.waitFor(async () => expect(await projected()).toBe(state), pollTimeout);
  return { stub, attempt, account: purchase.account, paymentId: charge?.paymentId ?? '' };
}
