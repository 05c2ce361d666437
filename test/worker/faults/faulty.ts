import { createExecutionContext, env } from 'cloudflare:test';
import { vi } from 'vitest';
import { app } from '../../../worker/app.ts';
import type { Env } from '../../../worker/env.ts';
import { type PartFault, partFaults, partlyDown } from './database.ts';

/** How a binding can go wrong, whatever it is asked. */
const faults = ['throws', 'rejects', 'hangs'] as const;
export type Fault = (typeof faults)[number];

const error = () => new Error('the binding is down');
export const trouble: Record<Fault, () => Promise<never>> = {
  throws: () => {
    throw error();
  },
  rejects: async () => {
    throw error();
  },
  hangs: () => new Promise(() => {}),
};

/** What is made of these makes no call yet; only what throws at once throws here too. */
const makers = ['prepare', 'bind', 'get', 'getByName'];

/** A binding every call of which goes wrong. */
function broken(fault: Fault): object {
  const ask = trouble[fault];
  const made: object = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'then') return undefined;
        if (name === 'idFromString') return () => ({});
        return makers.includes(String(name)) && fault !== 'throws' ? () => made : ask;
      },
      has: () => true,
    },
  );
  return made;
}

/** A KV every read of which goes wrong. */
const brokenKv = (fault: Fault) => ({ get: trouble[fault] });

const allOf = (fault: Fault, ...names: (keyof Env)[]) =>
  Object.fromEntries(names.map((name) => [name, broken(fault)]));

/** What there is to break, by the name that the matrix has for it. */
const dependencies: Record<string, (fault: Fault) => Partial<Env>> = {
  KV: (fault) => ({ FUNNEL: brokenKv(fault) as never }),
  D1: (fault) => allOf(fault, 'DB'),
  objects: (fault) => allOf(fault, 'PURCHASES', 'INVITATIONS', 'LIMITS', 'CARDS'),
  queues: (fault) =>
    allOf(fault, 'EXPOSURES', 'EVENTS', 'CONVERSIONS', 'MAILS', 'TEXTS', 'WEBHOOKS'),
  counters: (fault) => allOf(fault, 'POSTS', 'SIGNUPS', 'REPORTS'),
  files: (fault) => allOf(fault, 'ASSETS'),
};

/** Each of them down, and all at once. */
export const outages: [name: string, fault: Fault, down: Partial<Env>][] = faults.flatMap(
  (fault) => {
    const each = Object.entries(dependencies).map(([name, down]) => [name, down(fault)] as const);
    const all = Object.assign({}, ...each.map(([, down]) => down)) as Partial<Env>;
    return [...each, ['everything', all] as const].map(
      ([name, down]) => [name, fault, down] as [string, Fault, Partial<Env>],
    );
  },
);

/** D1 as it answers late, or reads and does not write. */
export const parts = partFaults.map(
  (fault): [name: string, fault: PartFault, down: Partial<Env>] => [
    'D1',
    fault,
    { DB: partlyDown(fault) },
  ],
);

/** Has whatever waits in the Worker wait a part of it, until globals are given back. */
export function hurry(times = 10): void {
  const wait = setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0, ...args: unknown[]) =>
    wait(run, ms / times, ...(args as [])),
  );
}

/** Sends a request through the whole app, and does not wait for what goes on behind the answer. */
export async function answerOf(path: string, init: RequestInit, down: Partial<Env>) {
  const bindings = { ...env, CONFIG_SECONDS: '-1', ...down };
  const response = await app.request(path, init, bindings, createExecutionContext());
  const { status, headers } = response;
  return { status, headers, body: await response.text() };
}

/** What stands behind a flaky statement, for the batch that wants the real one. */
const behind = new WeakMap<object, object>();
const real = (arg: unknown) => (arg instanceof Object && behind.get(arg)) || arg;

/** How often a call fails, and from which numbers in [0, 1). */
interface Odds {
  rate: number;
  random: () => number;
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
        if (odds.random() >= odds.rate) return call();
        if (odds.random() < 0.5) return Promise.reject(error());
        return Promise.resolve(call()).then(() => Promise.reject(error()));
      };
    },
  });
  behind.set(made, binding);
  return made;
}

/** All bindings, each of which fails now and then. */
export const flakyBindings = (odds: Odds): Env => ({
  ...env,
  FUNNEL: flaky(env.FUNNEL, odds, []),
  DB: flaky(env.DB, odds),
  PURCHASES: flaky(env.PURCHASES, odds),
  EXPOSURES: flaky(env.EXPOSURES, odds),
  INVITATIONS: flaky(env.INVITATIONS, odds),
  LIMITS: flaky(env.LIMITS, odds),
  CARDS: flaky(env.CARDS, odds),
  EVENTS: flaky(env.EVENTS, odds),
  CONVERSIONS: flaky(env.CONVERSIONS, odds),
  MAILS: flaky(env.MAILS, odds),
  TEXTS: flaky(env.TEXTS, odds),
  WEBHOOKS: flaky(env.WEBHOOKS, odds),
  ...(env.POSTS && { POSTS: flaky(env.POSTS, odds) }),
  ...(env.SIGNUPS && { SIGNUPS: flaky(env.SIGNUPS, odds) }),
  ...(env.REPORTS && { REPORTS: flaky(env.REPORTS, odds) }),
});
