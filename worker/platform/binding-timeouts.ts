import type {
  D1Database,
  D1PreparedStatement,
  DurableObjectNamespace,
} from '@cloudflare/workers-types';
import type { Env } from './env.ts';
import { Unavailable } from './errors.ts';
import { messageOf } from './log.ts';
import { withTimeout } from './with-timeout.ts';

const storageMs = 5_000;
const objectMs = 12_000;
const rateLimiterMs = 500;

type StubOf<Namespace> = Namespace extends { getByName(name: string): infer Stub } ? Stub : never;
type MethodsOf<Name extends keyof Env> = readonly (keyof StubOf<Env[Name]>)[];

/** How the methods of a binding, and of what they return, are called; all others get the timeout. */
interface Wrapping {
  ms: number;
  factories?: readonly string[];
  untimed?: readonly PropertyKey[];
}

const storage: Wrapping = { ms: storageMs };
const rateLimiter: Wrapping = { ms: rateLimiterMs };

const database: Wrapping = {
  ms: storageMs,
  factories: ['prepare', 'bind', 'withSession'] satisfies (
    | keyof D1Database
    | keyof D1PreparedStatement
  )[],
};

/** @param untimed methods that call vendors or R2, one after another; each of those calls has its own timeout */
const objects = (untimed: readonly PropertyKey[] = []): Wrapping => ({
  ms: objectMs,
  factories: ['get', 'getByName'] satisfies (keyof DurableObjectNamespace)[],
  untimed: ['idFromName', 'idFromString', ...untimed],
});

const wrappings = {
  DB: database,
  ANALYTICS: database,
  FUNNEL: storage,
  EVENTS: storage,
  TILES: storage,
  ASSETS: storage,
  EXPOSURE_QUEUE: storage,
  EVENT_QUEUE: storage,
  CONVERSION_QUEUE: storage,
  EMAIL_QUEUE: storage,
  SMS_QUEUE: storage,
  WEBHOOK_QUEUE: storage,
  ENTITLEMENT_QUEUE: storage,
  PURCHASES: objects(['compare', 'refund', 'sync'] satisfies MethodsOf<'PURCHASES'>),
  INVITATIONS: objects(['sendSms'] satisfies MethodsOf<'INVITATIONS'>),
  SMS_LIMITER: objects(),
  CARD_LIMITER: objects(),
  GATEWAY_CIRCUITS: objects(),
  MONITOR: objects(['watch'] satisfies MethodsOf<'MONITOR'>),
  EVENT_SHARDS: objects(['eventsOf'] satisfies MethodsOf<'EVENT_SHARDS'>),
  POST_RATE_LIMIT: rateLimiter,
  SIGNUP_RATE_LIMIT: rateLimiter,
  REPORT_RATE_LIMIT: rateLimiter,
  READ_RATE_LIMIT: rateLimiter,
  VISITOR_EVENT_RATE_LIMIT: rateLimiter,
  EVENT_RATE_LIMIT: rateLimiter,
} satisfies Partial<Record<keyof Env, Wrapping>>;

/** Unwrapped platform objects: `DB.batch` accepts only its own statements. */
const targets = new WeakMap<object, object>();
const unwrap = (value: unknown) => (value instanceof Object && targets.get(value)) || value;
const unwrapList = (value: unknown) => (Array.isArray(value) ? value.map(unwrap) : value);

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

/** A proxy, because a Durable Object's stub does not list its methods. */
function wrap<Target extends object>(target: Target, binding: string, wrapping: Wrapping): Target {
  const { ms, factories = [], untimed = [] } = wrapping;
  const proxy = new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || typeof member !== 'function') return member;
      // A stub's method is a proxy itself: it must be called on the stub.
      const call = (args: unknown[]): unknown => Reflect.apply(member, target, args);
      if (untimed.includes(name)) return (...args: unknown[]) => call(args);
      if (!factories.includes(name))
        return (...args: unknown[]) =>
          callWithTimeout(binding, ms, () => call(args.map(unwrapList)));
      return (...args: unknown[]) => {
        try {
          const made = call(args);
          return made instanceof Object ? wrap(made, binding, wrapping) : made;
        } catch (error) {
          throw toUnavailable(error, binding);
        }
      };
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
    ...Object.entries<Wrapping>(wrappings),
    ...accountDatabases.map((name) => [name, database] as const),
  ];
  const proxies = all.flatMap(([name, wrapping]) => {
    const target: unknown = Reflect.get(env, name);
    return target instanceof Object ? [[name, wrap(target, name, wrapping)]] : [];
  });
  const result: Env = { ...env, ...Object.fromEntries(proxies) };
  wrapped.set(env, result);
  wrapped.set(result, result);
  return result;
}
