import type { DurableObjectStub } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import { createHandlers } from '../../http/handlers.ts';
import type { App } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Purchases } from '../purchases-object.ts';
import { answerOf, isKnown, type Wrap } from './attempt-response.ts';

function idOf({ env: { PURCHASES } }: Context<App>, object: string) {
  try {
    return PURCHASES.idFromString(object);
  } catch {
    throw new Refusal('poll_unknown');
  }
}

function stubOf(c: Context<App>, pollingId: string): DurableObjectStub<Purchases> {
  const [object = '', secret = ''] = pollingId.split('.');
  if (!/^[\da-f]{64}$/.test(object) || !/^[\da-f]{32}$/.test(secret))
    throw new Refusal('poll_unknown');
  return c.env.PURCHASES.get(idOf(c, object));
}

export const pollResult = createHandlers(async (c) => {
  const pollingId = c.req.param('id') ?? '';
  const attempt = await stubOf(c, pollingId).result(pollingId);
  if (!attempt) throw new Refusal('poll_unknown');
  if (!isKnown(attempt)) return c.json({ data: { result_data: null } }, 202);
  const wrap: Wrap = (data) => ({ data: { result_data: data } });
  return c.json(answerOf(attempt, c, wrap));
});
