import { env, runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import type { Purchase } from '../../../../worker/payments/purchase-request.ts';
import { Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { Attempt } from '../../../../worker/payments/rules/attempt.ts';
import type { AccountId } from '../../../../worker/types.ts';
import { dayMs, minuteMs, type Stub } from '../payments-fixture.ts';
import { asDriven } from './slow-timers.ts';

/** What passes an await of the object: it does what is asked, or stops it there. */
export type Gate = <T>(act: () => Promise<T>) => Promise<T>;

const open: Gate = (act) => act();

/** An account's object on its real storage, whose alarm rings when the test says so. */
export interface Driven {
  /** The memory goes, the storage and the alarm stay. */
  restart(): void;
  object(): Purchases;
  alarm(): number | null;
  /** Calls the object, again after each restart that takes the call along. */
  run<T>(call: (object: Purchases) => Promise<T>): Promise<T>;
  /** Lets so much time pass, with every alarm that is due in it. */
  pass(ms: number): Promise<void>;
  /** Rings whatever is due within 15 minutes, and lets the time pass that lies between. */
  rest(): Promise<void>;
  /** Opens an attempt, of which nothing is done yet. @returns the polling id */
  open(purchase: Purchase): Promise<string>;
  attempt(pollingId: string): Attempt;
  /** Buys. An attempt that was sent and whose outcome is unknown has 24 hours to become final. */
  buy(purchase: Purchase): Promise<Attempt>;
}

/** Stops the object at some awaits, counted from 1, and restarts it. */
export interface Crash {
  gate: Gate;
  /** Says which object it restarts. */
  watch(started: Driven): void;
  awaits(): number;
  crashes(): number;
}

/** @param arrives whether what it waited for is done */
export function crashing(at: readonly number[], arrives: boolean): Crash {
  let [awaits, crashes] = [0, 0];
  let driven: Driven | undefined;
  return {
    async gate(act) {
      awaits += 1;
      if (!at.includes(awaits)) return act();
      if (arrives) await act();
      crashes += 1;
      driven?.restart();
      return new Promise(() => {});
    },
    watch(started) {
      driven = started;
    },
    awaits: () => awaits,
    crashes: () => crashes,
  };
}

type Statement = ReturnType<Env['DB']['prepare']>;

/** D1 as far as it knows intros and invitations, and the queue of mails; what is fed them is not kept. */
const outside = (gate: Gate, more: Partial<Env>) =>
  ({
    ...env,
    ...more,
    DB: {
      prepare: (sql: string) =>
        /intros|FROM invitations/.test(sql) ? env.DB.prepare(sql) : { bind: () => ({}) },
      batch: (statements: Statement[]) =>
        gate(async () => ('run' in (statements[0] ?? {}) ? env.DB.batch(statements) : [])),
    },
    INVITATIONS: {
      getByName: (name: string) => ({
        cancelAll: (account: AccountId, until: number) =>
          gate(() => env.INVITATIONS.getByName(name).cancelAll(account, until)),
      }),
    },
    EMAIL_QUEUE: { send: () => gate(async () => {}) },
  }) as unknown as Env;

/**
 * Drives an account's object by hand: nothing of it happens by itself, so that no test waits.
 *
 * @param gate passes every await of alarms, D1 and mails; calls to a bank are the bank's line
 * @param more bindings that replace the tests' own
 */
export function drive<T>(
  stub: Stub,
  use: (driven: Driven) => Promise<T>,
  gate: Gate = open,
  more: Partial<Env> = {},
): Promise<T> {
  return runInDurableObject(stub, (_, state) => {
    let alarm: number | null = null;
    let died = () => {};
    const set = (at: number | null) => {
      alarm = at;
      return gate(async () => {});
    };
    const { kv } = state.storage as unknown as { kv: object };
    const transactionSync = (change: () => unknown) => state.storage.transactionSync(change);
    const storage = { kv, transactionSync, setAlarm: set, deleteAlarm: () => set(null) };
    const start = () => {
      const made = new Purchases(state as never, outside(gate, more));
      Object.defineProperty(made, 'ctx', { value: { id: state.id, storage } });
      return made;
    };
    let current = start();
    const ring = async () => {
      vi.setSystemTime(Math.max(Date.now(), alarm ?? 0));
      await driven.run((object) => object.alarm());
    };
    const driven: Driven = {
      restart() {
        current = start();
        died();
      },
      object: () => current,
      alarm: () => alarm,
      async run(call) {
        for (;;) {
          const death = new Promise<null>((resolve) => {
            died = () => resolve(null);
          });
          const end = await Promise.race([call(current).then((value) => ({ value })), death]);
          if (end) return end.value;
        }
      },
      async pass(ms) {
        const until = Date.now() + ms;
        while (alarm !== null && alarm <= until) await ring();
        // A call that hung has taken time of its own.
        vi.setSystemTime(Math.max(Date.now(), until));
      },
      async open(purchase) {
        const opened = await driven.run((object) => object.buy(purchase));
        if (opened.kind === 'refused') throw new Error(opened.refusal);
        return opened.pollingId;
      },
      attempt(pollingId) {
        const attempt = current.result(pollingId);
        if (!attempt) throw new Error(pollingId);
        return attempt;
      },
      async rest() {
        const until = Date.now() + 15 * minuteMs;
        for (let rings = 0; alarm !== null && alarm <= until; rings += 1) {
          if (rings > 300) throw new Error('the job never ends');
          await ring();
        }
      },
      async buy(purchase) {
        const pollingId = await driven.open(purchase);
        await driven.rest();
        const until = Date.now() + dayMs;
        while (driven.attempt(pollingId).state === 'sent' && alarm !== null && alarm <= until) {
          await ring();
        }
        return driven.attempt(pollingId);
      },
    };
    return asDriven(() => use(driven));
  });
}
