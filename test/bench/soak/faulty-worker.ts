import type { DurableObjectState, ExecutionContext, MessageBatch } from '@cloudflare/workers-types';
import funnel, * as built from '../../../worker/index.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { withFaultsButSales } from '../../fakes/faults.ts';
import { flakyBindings } from '../../worker/faults/flaky-fetch.ts';

const counts = { calls: 0, failed: 0 };
const odds = {
  rate: 0,
  /** A tenth of a binding's failing calls never return. */
  hangs: 0.1,
  random() {
    counts.calls += 1;
    const drawn = Math.random();
    if (drawn < odds.rate) counts.failed += 1;
    return drawn;
  },
};
globalThis.fetch = withFaultsButSales(fetch, odds) as typeof fetch;

const before = new WeakMap<Env, Env>();
function faulty(env: Env): Env {
  const known = before.get(env) ?? flakyBindings(env, odds);
  before.set(env, known);
  return known;
}

export class Purchases extends built.Purchases {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faulty(env));
  }
}
export class Invitee extends built.Invitee {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faulty(env));
  }
}
export class SmsLimiter extends built.SmsLimiter {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faulty(env));
  }
}
export class CardLimiter extends built.CardLimiter {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faulty(env));
  }
}

/**
 * The built Worker, with a share of its calls to bindings and vendors failing. A post to `/faults?rate=0.05` sets
 * that share, and returns the numbers of calls and failures.
 */
export default {
  fetch(request: Request, env: Env, ctx: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/faults') return funnel.fetch(request, faulty(env), ctx);
    odds.rate = Number(searchParams.get('rate'));
    return Response.json(counts);
  },
  queue: (batch: MessageBatch, env: Env) => funnel.queue(batch, faulty(env)),
};
