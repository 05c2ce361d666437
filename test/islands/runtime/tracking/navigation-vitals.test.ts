import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  sessionWindows,
  watchNavigationVitals,
} from '../../../../islands/runtime/tracking/navigation-vitals.ts';

type Hear = (list: { getEntries: () => object[] }) => void;

const heard: Record<string, (entry: object) => void> = {};
let swap: (nodeName: string) => void;

beforeEach(() => {
  class Performance {
    static supportedEntryTypes = ['layout-shift', 'event'];
    #hear: Hear;
    constructor(hear: Hear) {
      this.#hear = hear;
    }
    observe({ type }: { type: string }) {
      heard[type] = (entry) => this.#hear({ getEntries: () => [entry] });
    }
  }
  class Mutation {
    constructor(hear: (changes: object[]) => void) {
      swap = (nodeName) => hear([{ addedNodes: [{ nodeName }] }]);
    }
    observe() {}
  }
  vi.stubGlobal('PerformanceObserver', Performance);
  vi.stubGlobal('MutationObserver', Mutation);
  vi.stubGlobal('document', { body: {} });
});
afterEach(() => void vi.unstubAllGlobals());

it('navigation vitals: take the worst session window of at most five seconds', () => {
  const shift = sessionWindows();
  expect(shift(0.1, 0)).toBeCloseTo(0.1);
  expect(shift(0.1, 999)).toBeCloseTo(0.2);
  expect(shift(0.15, 2500)).toBeCloseTo(0.2);
  for (const at of [3400, 4300, 5200, 6100, 7000]) shift(0.1, at);
  expect(shift(0.1, 7900)).toBeCloseTo(0.65);
});

it('navigation vitals: measure swapped-in screens only, each separately', () => {
  const told: unknown[] = [];
  const now = vi.spyOn(performance, 'now');
  const begin = () => void told.push('begin');
  watchNavigationVitals(begin, (...noted) => void told.push(noted));
  const shift = (startTime: number, value: number, hadRecentInput = false) =>
    heard['layout-shift']?.({ startTime, value, hadRecentInput });
  const touch = (startTime: number, duration: number, interactionId = 1) =>
    heard.event?.({ startTime, duration, interactionId });
  shift(1, 0.5);
  touch(1, 500);
  now.mockReturnValue(1000);
  swap('DIV');
  swap('MAIN');
  shift(900, 0.5);
  touch(900, 500);
  shift(1100, 0.25);
  shift(1200, 0.5, true);
  touch(1100, 80);
  touch(1200, 64);
  touch(1300, 96, 0);
  now.mockReturnValue(2000);
  swap('MAIN');
  touch(2100, 48);
  expect(told).toEqual(['begin', ['cls', 0.25], ['inp', 80], 'begin', ['inp', 48]]);
});
