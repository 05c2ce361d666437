import { env, runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import { Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { AttemptAnswer } from '../../../../worker/payments/storage/stored-records.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import type { AccountId } from '../../../../worker/platform/types.ts';
import { dayMs, minuteMs, type Stub } from '../payments-fixture.ts';
import { asDriven } from './slow-timers.ts';

/** Passes each await of the object: it executes the call, or crashes there. */
export type AwaitHook = <T>(act: () => Promise<T>) => Promise<T>;

const open: AwaitHook = (act) => act();

/** An account's object on its real storage, with its alarm controlled by the test. */
export interface DrivenObject {
  /** The memory is lost, but the storage and the alarm stay. */
  restart(): void;
  object(): Purchases;
  alarm(): number | null;
  /** Calls the object, again after each restart that interrupts the call. */
  run<T>(call: (object: Purchases) => Promise<T>): Promise<T>;
  /** Lets this much time pass, and runs every alarm that is due in it. */
  passTime(ms: number): Promise<void>;
  /** Runs everything that is due within 15 minutes, and lets the time in between pass. */
  runDueAlarms(): Promise<void>;
  /** Opens an attempt without running it. @returns the polling id */
  startPurchase(purchase: Purchase): Promise<string>;
  attempt(pollingId: string): AttemptAnswer;
  /** Buys. An attempt that was sent and whose outcome is unknown has 24 hours to become final. */
  buy(purchase: Purchase): Promise<AttemptAnswer>;
}

/** Crashes the object at some awaits, counted from 1, and restarts it. */
export interface Crash {
  gate: AwaitHook;
  /** Sets the object that it restarts. */
  watch(started: DrivenObject): void;
  awaits(): number;
  crashes(): number;
}

/** @param arrives whether the awaited call is executed */
export function crashAt(at: readonly number[], arrives: boolean): Crash {
  let [awaits, crashes] = [0, 0];
  let driven: DrivenObject | undefined;
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

/** D1 for intros and invitations only, and a queue for e-mails; writes are not stored. */
const testEnv = (gate: AwaitHook, more: Partial<Env>) =>
  ({
    ...env,
    EMAIL_QUEUE: { send: () => gate(async () => {}) },
    ...more,
    DB: {
      prepare: (sql: string) =>
        /intros|FROM invitations/.test(sql) ? env.DB.prepare(sql) : { bind: () => ({}) },
      batch: (statements: Statement[]) =>
        gate(async () => ('run' in (statements[0] ?? {}) ? env.DB.batch(statements) : [])),
    },
    INVITATIONS: {
      getByName: (name: string) => ({
        endWithPlan: (account: AccountId, until: number) =>
          gate(() => env.INVITATIONS.getByName(name).endWithPlan(account, until)),
      }),
    },
  }) as unknown as Env;

/**
 * Drives an account's object by hand: nothing runs by itself, so that no test waits.
 * @param gate passes every await of alarms, D1 and e-mails; calls to a gateway pass its connection
 * @param more bindings that replace the tests' own
 */
export function driveObject<T>(
  stub: Stub,
  use: (driven: DrivenObject) => Promise<T>,
  gate: AwaitHook = open,
  more: Partial<Env> = {},
): Promise<T> {
  return runInDurableObject(stub, (_, state) => {
    let alarm: number | null = null;
    let interrupt = () => {};
    const set = (at: number | null) => {
      alarm = at;
      return gate(async () => {});
    };
    const { kv } = state.storage as unknown as { kv: object };
    const transactionSync = (change: () => unknown) => state.storage.transactionSync(change);
    const storage = { kv, transactionSync, setAlarm: set, deleteAlarm: () => set(null) };
    const start = () => {
      const made = new Purchases(state as never, testEnv(gate, more));
      Object.defineProperty(made, 'ctx', { value: { id: state.id, storage } });
      return made;
    };
    let current = start();
    const runNextAlarm = async () => {
      vi.setSystemTime(Math.max(Date.now(), alarm ?? 0));
      await driven.run((object) => object.alarm());
    };
    const driven: DrivenObject = {
      restart() {
        current = start();
        interrupt();
      },
      object: () => current,
      alarm: () => alarm,
      async run(call) {
        for (;;) {
          const interrupted = new Promise<null>((resolve) => {
            interrupt = () => resolve(null);
          });
          const end = await Promise.race([call(current).then((value) => ({ value })), interrupted]);
          if (end) return end.value;
        }
      },
      async passTime(ms) {
        const until = Date.now() + ms;
        while (alarm !== null && alarm <= until) await runNextAlarm();
        // A hanging call has taken some time.
        vi.setSystemTime(Math.max(Date.now(), until));
      },
      async startPurchase(purchase) {
        const opened = await driven.run((object) => object.buy(purchase));
        if (opened.kind === 'refused') throw new Error(opened.refusal);
        return opened.pollingId;
      },
      attempt(pollingId) {
        const attempt = current.result(pollingId);
        if (!attempt) throw new Error(pollingId);
        return attempt;
      },
      async runDueAlarms() {
        const until = Date.now() + 15 * minuteMs;
        for (let runs = 0; alarm !== null && alarm <= until; runs += 1) {
          if (runs > 300) throw new Error('the job never ends');
          await runNextAlarm();
        }
      },
      async buy(purchase) {
        const pollingId = await driven.startPurchase(purchase);
        await driven.runDueAlarms();
        const until = Date.now() + dayMs;
        while (driven.attempt(pollingId).state === 'sent' && alarm !== null && alarm <= until)
          await runNextAlarm();
        return driven.attempt(pollingId);
      },
    };
    return asDriven(() => use(driven));
  });
}
