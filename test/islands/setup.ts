import { afterAll, vi } from 'vitest';

// One process serves many files: each starts with modules of its own, and leaves no timers to the next one's browser.
vi.resetModules();
const { setTimeout, setInterval } = globalThis;
const started: NodeJS.Timeout[] = [];
const kept =
  (start: (...args: never[]) => NodeJS.Timeout) =>
  (...args: never[]) => {
    const timer = start(...args);
    started.push(timer);
    return timer;
  };
Object.assign(globalThis, { setTimeout: kept(setTimeout), setInterval: kept(setInterval) });

afterAll(() => {
  for (const timer of started) clearTimeout(timer);
  Object.assign(globalThis, { setTimeout, setInterval });
});
