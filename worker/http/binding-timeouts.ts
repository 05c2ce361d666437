import type { Env } from '../env.ts';
import { Unavailable } from '../errors.ts';

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** Ms that a call may take: a database or queue, an object, which may ask one of these in turn, a count. */
const patience = 5_000;
const objectPatience = 12_000;
const countPatience = 500;

const limits = {
  DB: patience,
  ASSETS: patience,
  EXPOSURE_QUEUE: patience,
  EVENT_QUEUE: patience,
  CONVERSION_QUEUE: patience,
  EMAIL_QUEUE: patience,
  SMS_QUEUE: patience,
  WEBHOOK_QUEUE: patience,
  PURCHASES: objectPatience,
  INVITATIONS: objectPatience,
  SMS_LIMITER: objectPatience,
  CARD_LIMITER: objectPatience,
  POST_RATE_LIMIT: countPatience,
  SIGNUP_RATE_LIMIT: countPatience,
  REPORT_RATE_LIMIT: countPatience,
} satisfies Partial<Record<keyof Env, number>>;

/** What answers at once: with something that is asked later, or with a name. */
const makers = new Set(['prepare', 'bind', 'get', 'getByName']);
const namers = new Set(['idFromName', 'idFromString']);
/** What asks vendors, one after another; each of those calls has a limit of its own. */
const patient = new Set(['compare', 'refund', 'sync', 'send']);

/** What stands behind a front, for where the platform wants its own. */
const behind = new WeakMap<object, object>();
const own = (value: unknown) => (value instanceof Object && behind.get(value)) || value;

/** How the platform marks its own trouble on the way to an object. */
const marks = ['retryable', 'overloaded', 'durableObjectReset'];

/** Whether an object's own code threw it. */
const isBug = (error: unknown) =>
  error instanceof Error && 'remote' in error && !marks.some((mark) => mark in error);

function told(error: unknown, binding: string): unknown {
  if (error instanceof Unavailable || isBug(error)) return error;
  return new Unavailable(binding, error instanceof Error ? error.message : 'thrown');
}

async function inTime(binding: string, ms: number, call: () => unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable(binding, 'no answer')), ms);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    throw told(error, binding);
  } finally {
    clearTimeout(timer);
  }
}

function front(target: object, binding: string, ms: number): object {
  const methods = target as Methods;
  const list = (args: unknown[]) => args.map((arg) => (Array.isArray(arg) ? arg.map(own) : arg));
  const make = (name: string, args: unknown[]) => {
    try {
      return front(methods[name]?.(...args) as object, binding, ms);
    } catch (error) {
      throw told(error, binding);
    }
  };
  const made = new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || typeof member !== 'function') return member;
      if (namers.has(name)) return (...args: unknown[]) => methods[name]?.(...args);
      if (makers.has(name)) return (...args: unknown[]) => make(name, args);
      const limited = !(ms === objectPatience && patient.has(name));
      return (...args: unknown[]) =>
        limited
          ? inTime(binding, ms, () => methods[name]?.(...list(args)))
          : methods[name]?.(...args);
    },
  });
  behind.set(made, target);
  return made;
}

/** One an environment, which is one an isolate. */
const made = new WeakMap<Env, Env>();

/**
 * The same bindings, none of which keeps anybody waiting: a call that fails, or is not answered in
 * time, throws `Unavailable`. KV is left out; who reads it has limits of their own, and better ones.
 */
export function withBindingTimeouts(env: Env): Env {
  const before = made.get(env);
  if (before) return before;
  const fronts = Object.entries(limits).flatMap(([name, ms]) => {
    const target: unknown = env[name as keyof Env];
    return target instanceof Object ? [[name, front(target, name, ms)]] : [];
  });
  const after: Env = { ...env, ...Object.fromEntries(fronts) };
  made.set(env, after);
  made.set(after, after);
  return after;
}
