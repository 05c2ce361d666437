import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { cardCounterNamesOf } from '../../../../worker/payments/api/subscribe-api.ts';
import { cardLimiter } from '../../../../worker/payments/fraud/card-limiter-object.ts';
import type { App, Env } from '../../../../worker/platform/env.ts';
import type { VisitorId } from '../../../../worker/platform/types.ts';

const app = new Hono<App>().get('/', async (c) =>
  c.json(await cardCounterNamesOf(c, crypto.randomUUID() as VisitorId)),
);

/** A card tried by a new visitor. */
async function tryFrom(ip: string, more: Partial<Env> = {}): Promise<string | undefined> {
  const headers = { 'cf-connecting-ip': ip };
  const response = await app.request('/', { headers }, { ...env, ...more });
  const id = crypto.randomUUID();
  const names: string[] = await response.json();
  return (await cardLimiter(env).countAttempt(id, names))?.refusal;
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

test('card testing: on a laptop with fakes one person’s declines refuse nobody else', async () => {
  const answers = [];
  for (let at = 0; at < 12; at += 1)
    answers.push(await tryFrom('127.0.0.1', { FAKES_URL: '/fakes' }));
  expect(new Set(answers)).toEqual(new Set([undefined]));
});
