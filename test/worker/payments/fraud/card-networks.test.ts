import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { App } from '../../../../worker/env.ts';
import { cardCounterNamesOf } from '../../../../worker/payments/attempts/subscribe-api.ts';
import { cardLimiterOf } from '../../../../worker/payments/fraud/card-limiter-object.ts';
import type { VisitorId } from '../../../../worker/types.ts';

const app = new Hono<App>().get('/', async (c) =>
  c.json(await cardCounterNamesOf(c, crypto.randomUUID() as VisitorId)),
);

/** A card tried by a new visitor. */
async function tryFrom(ip: string): Promise<string | undefined> {
  const response = await app.request('/', { headers: { 'cf-connecting-ip': ip } }, env);
  const id = crypto.randomUUID();
  for (const name of (await response.json()) as string[]) {
    const refusal = await cardLimiterOf(env, name).countAttempt(id, name);
    if (refusal) return refusal.refusal;
  }
  return undefined;
}

test.each([
  ['an IPv4 address', () => '192.0.2.77', 5],
  ['a /64', (at: number) => `2001:db8:41:1::${at}`, 5],
  ['a /48', (at: number) => `2001:db8:42:${at}::1`, 50],
])('card testing: %s tries so many cards an hour', async (_, ip, most) => {
  const answers = [];
  for (let at = 1; at <= most + 2; at += 1) answers.push(await tryFrom(ip(at)));
  expect(answers).toEqual([...Array(most).fill(undefined), ...Array(2).fill('too_many_declines')]);
  expect(await tryFrom(`2001:db8:${most}::1`)).toBeUndefined();
});
