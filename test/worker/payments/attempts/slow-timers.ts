import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';

/** Shorter timers are pauses between retries, and end at once. */
const longMs = 1000;

interface Timer {
  at: number;
  everyMs: number | null;
  run: () => void;
}

const drivenCode = new AsyncLocalStorage<true>();

/** Runs code that drives an object: only its timers can follow the tests' clock. */
export const asDriven = <T>(run: () => Promise<T>): Promise<T> => drivenCode.run(true, run);

/**
 * Makes timeouts and intervals of a driven object follow the tests' clock, which advances while a call hangs. Those
 * of a queue consumer or another object, which run beside it, stay real: the runtime lets no object settle a
 * promise of another one. Needs a faked `Date`; lasts until globals are restored.
 */
export function followTestClock() {
  const timers = new Map<unknown, Timer>();
  const [wait, clear, repeat, stop] = [setTimeout, clearTimeout, setInterval, clearInterval];
  const add = (timer: Timer) => {
    const id = {};
    timers.set(id, timer);
    return id;
  };
  vi.stubGlobal('setTimeout', (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    if (!drivenCode.getStore()) return wait(run, ms, ...args);
    if (ms <= longMs) return wait(run, 0, ...args);
    return add({ at: Date.now() + ms, everyMs: null, run: () => run(...args) });
  });
  vi.stubGlobal('setInterval', (run: () => void, ms: number) =>
    drivenCode.getStore() ? add({ at: Date.now() + ms, everyMs: ms, run }) : repeat(run, ms),
  );
  vi.stubGlobal('clearTimeout', (id: never) => timers.delete(id) || clear(id));
  vi.stubGlobal('clearInterval', (id: never) => timers.delete(id) || stop(id));

  return {
    /** Lets time pass during a call, until its caller gives up. */
    async hang(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
      // Another object's call must not run the driven object's timers: their storage belongs to that object.
      if (!drivenCode.getStore()) return;
      const until = Date.now() + ms;
      while (!signal?.aborted) {
        const due = [...timers].filter(([, { at }]) => at <= until);
        const [[id, next] = []] = due.sort(([, one], [, other]) => one.at - other.at);
        vi.setSystemTime(Math.max(Date.now(), next?.at ?? until));
        if (!next) return;
        if (next.everyMs === null) timers.delete(id);
        else next.at += next.everyMs;
        next.run();
        // The circuit receives the report, and responds.
        await new Promise((resolve) => wait(resolve, 0));
      }
    },
  };
}
