import type { Env } from '../../../worker/platform/env.ts';

/** How often a call fails. */
export interface Odds {
  /** Share of calls, 0 to 1. */
  rate: number;
  /** Numbers in [0, 1). */
  random: () => number;
  /** Share of the failures that never return, 0 to 1; none by default. */
  hangs?: number;
}

/** Methods that only create a statement or stub, and make no call yet; a synchronous error is thrown here too. */
export const makers = ['prepare', 'bind', 'get', 'getByName'];

const down = () => Promise.reject(new Error('the binding is down'));

async function fail({ random, hangs = 0 }: Odds, call: () => unknown): Promise<unknown> {
  if (random() < hangs) return new Promise(() => {});
  if (random() < 0.5) await call();
  return down();
}

/** Makes a call, or does something else. `words` are the call's texts, such as its SQL. */
type Intercept = (call: () => unknown, words: readonly string[]) => unknown;

/** The real statement behind an intercepted one, needed for batches. */
const behind = new WeakMap<object, { real: object; words: readonly string[] }>();
const known = (arg: unknown) => (arg instanceof Object ? behind.get(arg) : undefined);

/**
 * A binding whose every call is intercepted.
 * @param makes methods that make no call yet
 */
export function intercepted<T extends object>(
  binding: T,
  intercept: Intercept,
  makes = makers,
  words: readonly string[] = [],
): T {
  const methods = binding as Record<string, (...args: unknown[]) => unknown>;
  const proxy = new Proxy(binding, {
    get: (_, name) => {
      const member: unknown = Reflect.get(binding, name);
      if (typeof name === 'symbol' || typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const lists = args.filter(Array.isArray).flat();
        const allWords = [
          ...words,
          ...[...args, ...lists.flatMap((one) => known(one)?.words ?? [])],
        ];
        const texts = allWords.filter((word) => typeof word === 'string');
        const real = (arg: unknown) => known(arg)?.real ?? arg;
        const call = () =>
          methods[name]?.(...args.map((arg) => (Array.isArray(arg) ? arg.map(real) : arg)));
        if (name.startsWith('idFrom')) return call();
        if (makes.includes(name)) return intercepted(call() as object, intercept, makes, texts);
        return intercept(call, texts);
      };
    },
  });
  behind.set(proxy, { real: binding, words });
  return proxy;
}

/** A binding of which a share of calls fails; half of those are executed all the same. */
const flaky = <T extends object>(binding: T, odds: Odds, makes = makers): T =>
  intercepted(binding, (call) => (odds.random() < odds.rate ? fail(odds, call) : call()), makes);

/** All bindings, each failing now and then. */
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
  ENTITLEMENT_QUEUE: flaky(env.ENTITLEMENT_QUEUE, odds),
  ...(env.POST_RATE_LIMIT && { POST_RATE_LIMIT: flaky(env.POST_RATE_LIMIT, odds) }),
  ...(env.SIGNUP_RATE_LIMIT && { SIGNUP_RATE_LIMIT: flaky(env.SIGNUP_RATE_LIMIT, odds) }),
  ...(env.REPORT_RATE_LIMIT && { REPORT_RATE_LIMIT: flaky(env.REPORT_RATE_LIMIT, odds) }),
});
