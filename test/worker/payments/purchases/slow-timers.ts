import { vi } from 'vitest';

/** Shorter ones are pauses between retries, and end at once. */
const longMs = 1000;

interface Timer {
  at: number;
  everyMs: number | null;
  run: () => void;
}

/**
 * Has timeouts and intervals of the Worker follow the tests' clock, which moves while a call hangs. Needs a
 * faked `Date`; lasts until globals are given back.
 */
export function slowTimers() {
  const timers = new Map<unknown, Timer>();
  const [wait, clear] = [setTimeout, clearTimeout];
  const add = (timer: Timer) => {
    const id = {};
    timers.set(id, timer);
    return id;
  };
  const remove = (id: never) => {
    if (!timers.delete(id)) clear(id);
  };
  vi.stubGlobal('setTimeout', (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    ms <= longMs
      ? wait(run, 0, ...args)
      : add({ at: Date.now() + ms, everyMs: null, run: () => run(...args) }),
  );
  vi.stubGlobal('setInterval', (run: () => void, ms: number) =>
    add({ at: Date.now() + ms, everyMs: ms, run }),
  );
  vi.stubGlobal('clearTimeout', remove);
  vi.stubGlobal('clearInterval', remove);

  return {
    /** Lets time pass while a call is on its way, until its caller gives up. */
    async hang(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
      const until = Date.now() + ms;
      while (!signal?.aborted) {
        const due = [...timers].filter(([, { at }]) => at <= until);
        const [[id, next] = []] = due.sort(([, one], [, other]) => one.at - other.at);
        vi.setSystemTime(Math.max(Date.now(), next?.at ?? until));
        if (!next) return;
        if (next.everyMs === null) timers.delete(id);
        else next.at += next.everyMs;
        next.run();
        // The circuit is told, and answers.
        await new Promise((resolve) => wait(resolve, 0));
      }
    },
  };
}
