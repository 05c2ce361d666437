import { createExecutionContext, env } from 'cloudflare:test';
import { vi } from 'vitest';
import { app } from '../../../worker/app.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { intercepted, makers } from './flaky-fetch.ts';

/** Ways in which any call of a binding can fail. */
const faults = ['throws', 'rejects', 'hangs'] as const;
export type Fault = (typeof faults)[number];

const error = () => new Error('the binding is down');
export const faultBehaviours: Record<Fault, () => Promise<never>> = {
  throws: () => {
    throw error();
  },
  rejects: async () => {
    throw error();
  },
  hangs: () => new Promise(() => {}),
};

/** A binding whose every call fails. */
function broken(fault: Fault): object {
  const behaviour = faultBehaviours[fault];
  const proxy: object = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'then') return undefined;
        if (name === 'idFromString') return () => ({});
        return makers.includes(String(name)) && fault !== 'throws' ? () => proxy : behaviour;
      },
      has: () => true,
    },
  );
  return proxy;
}

/** A KV whose every read fails. */
const brokenKv = (fault: Fault) => ({
  get: faultBehaviours[fault],
  getWithMetadata: faultBehaviours[fault],
});

const allOf = (fault: Fault, ...names: (keyof Env)[]) =>
  Object.fromEntries(names.map((name) => [name, broken(fault)]));

/** Dependencies that can be broken, by name. */
const dependencies: Record<string, (fault: Fault) => Partial<Env>> = {
  KV: (fault) => ({ FUNNEL: brokenKv(fault) as never }),
  D1: (fault) => allOf(fault, 'DB'),
  objects: (fault) =>
    allOf(fault, 'PURCHASES', 'INVITATIONS', 'SMS_LIMITER', 'CARD_LIMITER', 'GATEWAY_CIRCUITS'),
  queues: (fault) =>
    allOf(
      fault,
      'EXPOSURE_QUEUE',
      'EVENT_QUEUE',
      'CONVERSION_QUEUE',
      'EMAIL_QUEUE',
      'SMS_QUEUE',
      'WEBHOOK_QUEUE',
      'ENTITLEMENT_QUEUE',
    ),
  counters: (fault) => allOf(fault, 'POST_RATE_LIMIT', 'SIGNUP_RATE_LIMIT', 'REPORT_RATE_LIMIT'),
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

const writing = /\b(INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER)\b/;

/** D1 with slow responses (`hurry` shortens them), or with failing writes. */
export const d1Faults: [name: string, fault: string, down: Partial<Env>][] = [
  [
    'D1',
    'is slow',
    {
      DB: intercepted(env.DB, async (call) => {
        await new Promise((resolve) => setTimeout(resolve, 2000));
        return call();
      }),
    },
  ],
  [
    'D1',
    'refuses writes',
    {
      DB: intercepted(env.DB, async (call, words) => {
        if (words.some((word) => writing.test(word))) throw error();
        return call();
      }),
    },
  ],
];

/** Shortens all timers in the Worker, until globals are restored. */
export function shortenTimers(times = 10): void {
  const wait = setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0, ...args: unknown[]) =>
    wait(run, ms / times, ...(args as [])),
  );
}

/** Sends a request through the whole app, without waiting for background work. */
export async function answerOf(path: string, init: RequestInit, down: Partial<Env>) {
  const bindings = { ...env, CONFIG_CACHE_SECONDS: '-1', ...down };
  const response = await app.request(path, init, bindings, createExecutionContext());
  const { status, headers } = response;
  return { status, headers, body: await response.text() };
}
