import type { Env } from './env.ts';
import { Unavailable } from './errors.ts';
import { messageOf } from './log.ts';
import { withTimeout } from './with-timeout.ts';

type Methods = Record<string, (...args: unknown[]) => unknown>;

const storageTimeoutMs = 5_000;
const objectTimeoutMs = 12_000;
const rateLimiterTimeoutMs = 500;

const timeouts = {
  DB: storageTimeoutMs,
  ANALYTICS: storageTimeoutMs,
  FUNNEL: storageTimeoutMs,
  EVENTS: storageTimeoutMs,
  TILES: storageTimeoutMs,
  ASSETS: storageTimeoutMs,
  EXPOSURE_QUEUE: storageTimeoutMs,
  EVENT_QUEUE: storageTimeoutMs,
  CONVERSION_QUEUE: storageTimeoutMs,
  EMAIL_QUEUE: storageTimeoutMs,
  SMS_QUEUE: storageTimeoutMs,
  WEBHOOK_QUEUE: storageTimeoutMs,
  ENTITLEMENT_QUEUE: storageTimeoutMs,
  PURCHASES: objectTimeoutMs,
  INVITATIONS: objectTimeoutMs,
  SMS_LIMITER: objectTimeoutMs,
  CARD_LIMITER: objectTimeoutMs,
  GATEWAY_CIRCUITS: objectTimeoutMs,
  MONITOR: objectTimeoutMs,
  EVENT_SHARDS: objectTimeoutMs,
  POST_RATE_LIMIT: rateLimiterTimeoutMs,
  SIGNUP_RATE_LIMIT: rateLimiterTimeoutMs,
  REPORT_RATE_LIMIT: rateLimiterTimeoutMs,
  READ_RATE_LIMIT: rateLimiterTimeoutMs,
  VISITOR_EVENT_RATE_LIMIT: rateLimiterTimeoutMs,
  EVENT_RATE_LIMIT: rateLimiterTimeoutMs,
} satisfies Partial<Record<keyof Env, number>>;

const factories = new Set(['prepare', 'bind', 'getByName', 'withSession']);
const idMethods = new Set(['idFromName', 'idFromString']);
/** Object methods that call vendors or R2, one after another; each of those calls has its own timeout. */
const vendorMethods = new Set(['compare', 'refund', 'sync', 'sendSms', 'watch', 'eventsOf']);

/** Unwrapped platform objects: `DB.batch` accepts only its own statements. */
const targets = new WeakMap<object, object>();
const unwrap = (value: unknown) => (value instanceof Object && targets.get(value)) || value;

/** Flags that the platform sets on its own errors on the way to an object. */
const platformFlags = ['retryable', 'overloaded', 'durableObjectReset'];

const isBug = (error: unknown) =>
  error instanceof Error && 'remote' in error && !platformFlags.some((flag) => flag in error);

function toUnavailable(error: unknown, binding: string): unknown {
  if (error instanceof Unavailable || isBug(error)) return error;
  return new Unavailable(binding, messageOf(error));
}

async function callWithTimeout(binding: string, ms: number, call: () => unknown): Promise<unknown> {
  try {
    const result = Promise.resolve(call());
    return await withTimeout(result, ms, () => new Unavailable(binding, 'no answer'));
  } catch (error) {
    throw toUnavailable(error, binding);
  }
}

function wrap(target: object, binding: string, ms: number): object {
  const methods = target as Methods;
  const unwrapLists = (args: unknown[]) =>
    args.map((arg) => (Array.isArray(arg) ? arg.map(unwrap) : arg));
  const make = (name: string, args: unknown[]) => {
    try {
      return wrap(methods[name]?.(...args) as object, binding, ms);
    } catch (error) {
      throw toUnavailable(error, binding);
    }
  };
  const proxy = new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || typeof member !== 'function') return member;
      const call = (...args: unknown[]) => methods[name]?.(...args);
      if (idMethods.has(name)) return call;
      if (factories.has(name) || (name === 'get' && ms === objectTimeoutMs))
        return (...args: unknown[]) => make(name, args);
      if (ms === objectTimeoutMs && vendorMethods.has(name)) return call;
      return (...args: unknown[]) => callWithTimeout(binding, ms, () => call(...unwrapLists(args)));
    },
  });
  targets.set(proxy, target);
  return proxy;
}

const wrapped = new WeakMap<Env, Env>();

/** A failed or late call throws `Unavailable`. A visitor's page waits less for KV. */
export function withBindingTimeouts(env: Env): Env {
  const known = wrapped.get(env);
  if (known) return known;
  const accountDatabases = Object.keys(env).filter((name) => /^DB_\d+$/.test(name));
  const all = [
    ...Object.entries(timeouts),
    ...accountDatabases.map((name) => [name, storageTimeoutMs] as const),
  ];
  const proxies = all.flatMap(([name, ms]) => {
    const target: unknown = env[name as keyof Env];
    return target instanceof Object ? [[name, wrap(target, name, ms)]] : [];
  });
  const result: Env = { ...env, ...Object.fromEntries(proxies) };
  wrapped.set(env, result);
  wrapped.set(result, result);
  return result;
}
