import { beforeEach, expect, it, vi } from 'vitest';
import {
  sessionWindows,
  watchNavigationVitals,
} from '../../../../islands/runtime/tracking/navigation-vitals.ts';

type ObserverCallback = (list: { getEntries: () => object[] }) => void;

const report: Record<string, (entry: object) => void> = {};
const observed: unknown[] = [];
let supportedEntryTypes: string[];
let swap: (nodeName: string) => void;

beforeEach(() => {
  observed.length = 0;
  supportedEntryTypes = ['layout-shift', 'event'];
  class Performance {
    static get supportedEntryTypes() {
      return supportedEntryTypes;
    }
    #callback: ObserverCallback;
    constructor(callback: ObserverCallback) {
      this.#callback = callback;
    }
    observe(options: { type: string }) {
      observed.push(options);
      report[options.type] = (entry) => this.#callback({ getEntries: () => [entry] });
    }
  }
  class Mutation {
    constructor(callback: (changes: object[]) => void) {
      swap = (nodeName) => callback([{ addedNodes: [{ nodeName }] }]);
    }
    observe(...call: unknown[]) {
      observed.push(call);
    }
  }
  vi.stubGlobal('PerformanceObserver', Performance);
  vi.stubGlobal('MutationObserver', Mutation);
  vi.stubGlobal('document', { body: {} });
});
it('navigation vitals: CLS is the worst session window of at most five seconds', () => {
  const shift = sessionWindows();
  expect(shift(0.1, 0)).toBeCloseTo(0.1);
  expect(shift(0.1, 999)).toBeCloseTo(0.2);
  expect(shift(0.15, 2500)).toBeCloseTo(0.2);
  for (const at of [3400, 4300, 5200, 6100, 7000]) shift(0.1, at);
  expect(shift(0.1, 7900)).toBeCloseTo(0.65);
});

it.each([
  ['within a second of the last one', [0, 999], 0.2],
  ['a second after the last one', [0, 1000], 0.1],
  ['within five seconds of the first one', [0, 900, 1800, 2700, 3600, 4500, 4999], 0.7],
  ['five seconds after the first one', [0, 900, 1800, 2700, 3600, 4500, 5000], 0.6],
])('navigation vitals: a shift %s', (_, times, worst) => {
  const shift = sessionWindows();
  expect(times.map((at) => shift(0.1, at)).at(-1)).toBeCloseTo(worst);
});

it('navigation vitals: a later window is measured from its own first shift', () => {
  const shift = sessionWindows();
  shift(0.1, 0);
  for (const at of [3000, 3900, 4800, 5700, 6600, 7500]) shift(0.1, at);
  expect(shift(0.1, 7999)).toBeCloseTo(0.7);
  expect(shift(0.1, 8000)).toBeCloseTo(0.7);
});

it('navigation vitals: interactions from 40 ms, shifts, and swaps of the body are observed', () => {
  watchNavigationVitals(vi.fn(), vi.fn());
  expect(observed).toEqual([
    { type: 'layout-shift', durationThreshold: 40 },
    { type: 'event', durationThreshold: 40 },
    [document.body, { childList: true }],
  ]);
});

it('navigation vitals: an entry type unknown to the browser is not observed', () => {
  supportedEntryTypes = ['layout-shift'];
  watchNavigationVitals(vi.fn(), vi.fn());
  expect(observed).toEqual([
    { type: 'layout-shift', durationThreshold: 40 },
    [document.body, { childList: true }],
  ]);
});

it('navigation vitals: an entry at the moment of the swap counts, an equal duration does not', () => {
  const note = vi.fn();
  vi.spyOn(performance, 'now').mockReturnValue(1000);
  watchNavigationVitals(vi.fn(), note);
  swap('MAIN');
  report['layout-shift']?.({ startTime: 1000, value: 0.25, hadRecentInput: false });
  for (const startTime of [1000, 1100])
    report.event?.({ startTime, duration: 80, interactionId: 1 });
  expect(note.mock.calls).toEqual([
    ['cls', 0.25],
    ['inp', 80],
  ]);
});

it('navigation vitals: measure swapped-in screens only, each separately', () => {
  const recorded: unknown[] = [];
  const now = vi.spyOn(performance, 'now');
  const begin = () => void recorded.push('begin');
  watchNavigationVitals(begin, (...noted) => void recorded.push(noted));
  const shift = (startTime: number, value: number, hadRecentInput = false) =>
    report['layout-shift']?.({ startTime, value, hadRecentInput });
  const touch = (startTime: number, duration: number, interactionId = 1) =>
    report.event?.({ startTime, duration, interactionId });
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
  shift(2050, 0.125);
  touch(2100, 48);
  const second = ['begin', ['cls', 0.125], ['inp', 48]];
  expect(recorded).toEqual(['begin', ['cls', 0.25], ['inp', 80], ...second]);
});
