import type { Env } from '../../../worker/env.ts';

/** How often a call fails. */
export interface Odds {
  /** Share of calls, 0 to 1. */
  rate: number;
  /** Numbers in [0, 1). */
  random: () => number;
  /** Share of the failures that never answer, 0 to 1; none when left out. */
  hangs?: number;
}

/** What is made of these makes no call yet; only what throws at once throws here too. */
export const makers = ['prepare', 'bind', 'get', 'getByName'];

/** What stands behind a flaky statement, for the batch that wants the real one. */
const behind = new WeakMap<object, object>();
const real = (arg: unknown) => (arg instanceof Object && behind.get(arg)) || arg;

const down = () => Promise.reject(new Error('the binding is down'));

async function fail({ random, hangs = 0 }: Odds, call: () => unknown): Promise<unknown> {
  if (random() < hangs) return new Promise(() => {});
  if (random() < 0.5) await call();
  return down();
}

/**
 * A binding of which a share of all calls fails: half of those were carried out all the same.
 *
 * @param makes what makes no call yet
 */
function flaky<T extends object>(binding: T, odds: Odds, makes = makers): T {
  const methods = binding as Record<string, (...args: unknown[]) => unknown>;
  const made = new Proxy(binding, {
    get: (_, name) => {
      const member: unknown = Reflect.get(binding, name);
      if (typeof name === 'symbol' || typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const list = args.map((arg) => (Array.isArray(arg) ? arg.map(real) : arg));
        const call = () => methods[name]?.(...list);
        if (name.startsWith('idFrom')) return call();
        if (makes.includes(name)) return flaky(call() as object, odds, makes);
        return odds.random() < odds.rate ? fail(odds, call) : call();
      };
    },
  });
  behind.set(made, binding);
  return made;
}

/** All bindings, each of which fails now and then. */
export const flakyBindings = (env: Env, odds: Odds): Env => ({
  ...env,
  FUNNEL: flaky(env.FUNNEL, odds, []),
  ASSETS: flaky(env.ASSETS, odds, []),
  DB: flaky(env.DB, odds),
  PURCHASES: flaky(env.PURCHASES, odds),
  EXPOSURE_QUEUE: flaky(env.EXPOSURE_QUEUE, odds),
  INVITATIONS: flaky(env.INVITATIONS, odds),
  SMS_LIMITER: flaky(env.SMS_LIMITER, odds),
  CARD_LIMITER: flaky(env.CARD_LIMITER, odds),
  EVENT_QUEUE: flaky(env.EVENT_QUEUE, odds),
  CONVERSION_QUEUE: flaky(env.CONVERSION_QUEUE, odds),
  EMAIL_QUEUE: flaky(env.EMAIL_QUEUE, odds),
  SMS_QUEUE: flaky(env.SMS_QUEUE, odds),
  WEBHOOK_QUEUE: flaky(env.WEBHOOK_QUEUE, odds),
  ...(env.POST_RATE_LIMIT && { POST_RATE_LIMIT: flaky(env.POST_RATE_LIMIT, odds) }),
  ...(env.SIGNUP_RATE_LIMIT && { SIGNUP_RATE_LIMIT: flaky(env.SIGNUP_RATE_LIMIT, odds) }),
  ...(env.REPORT_RATE_LIMIT && { REPORT_RATE_LIMIT: flaky(env.REPORT_RATE_LIMIT, odds) }),
});
