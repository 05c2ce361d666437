import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { failedAudits, type Report } from './failed-audits.ts';
import { earlyFigures } from './figures.ts';
import { unexpectedPaths } from './load.ts';
import { describeLongest, longTasksIn, type TraceEvent } from './long-tasks.ts';
import { growth } from './statistics.ts';

const met = (...touches: number[]) =>
  earlyFigures(
    'one_pager',
    touches.map((touch) => ({ lost: 0, touch })),
  ).map((figure) => figure.met);

test('bench figures: a touch without a measured response misses its target, like a slow one', () => {
  expect(met(48)).toEqual([true, true]);
  expect(met(208)).toEqual([true, false]);
  expect(met(0)).toEqual([true, false]);
  expect(met(0, 0, 48)).toEqual([true, false]);
});

test('bench figures: memory growth during warm-up does not count, later growth does', () => {
  const flat = [10, 15, 20, 20, 20, 20, 20, 20];
  expect(growth(flat)).toMatchObject({ 'first MB': 10, 'last quarter MB': 20, growth: 1 });
  const leaking = Array.from({ length: 40 }, (_, at) => 20 + at);
  expect(growth(leaking).growth).toBeGreaterThan(1.2);
});

const unexpected = (...paths: string[]) => unexpectedPaths(['/one_pager', ...paths], '/one_pager');

test('bench figures: before the largest paint only the document, the loader and one picture are expected', () => {
  expect(unexpected()).toEqual([]);
  expect(unexpected('/images/map-1.webp', '/static/js/loader.abc.js')).toEqual([]);
  expect(unexpected('/images/map-1.webp', '/images/face-1.webp')).toEqual(['/images/face-1.webp']);
  expect(unexpected('/searching', '/static/js/react.abc.js', '/static/css/a.css')).toHaveLength(3);
});

/** An event of a page's main thread; times in ms. */
const traced = (name: string, at: number, ms: number, data = {}, cpu = ms): TraceEvent => ({
  ...{ name, ph: 'X', pid: 1, tid: 1, ts: at * 1000, dur: ms * 1000, tdur: cpu * 1000 },
  args: { data },
});

test('bench figures: long tasks are measured by CPU time, split by script and browser work', () => {
  const main = { name: 'thread_name', ph: 'M', pid: 1, tid: 1, ts: 0 };
  const url = 'https://a.example/static/js/react.BOGjGqN.chunk.js';
  const tasks = longTasksIn([
    { ...main, args: { name: 'CrRendererMain' } },
    traced('RunTask', 0, 90, {}, 40),
    traced('RunTask', 100, 200, {}, 120),
    traced('TimerFire', 110, 180, {}, 100),
    traced('FunctionCall', 110, 170, { url, functionName: 'ut' }, 95),
    traced('v8.callFunction', 112, 20, {}, 20),
    traced('Layout', 250, 30),
    { ...traced('RunTask', 0, 400), tid: 2 },
  ]);
  expect(tasks.map(({ from, to, ms }) => [from, to, ms])).toEqual([[100, 300, 120]]);
  expect(describeLongest(tasks)).toBe(
    '120 ms: react ut 65, Layout 30, the browser’s own 20, TimerFire 5',
  );
});

const category = (...ids: string[]) => ({ score: 1, auditRefs: ids.map((id) => ({ id })) });

test('bench figures: a failed Lighthouse audit is named, the console’s with its messages', () => {
  const sourceLocation = { url: 'http://localhost/static/js/loader.js' };
  const items = [{ source: 'network', description: 'Failed to load', sourceLocation }];
  const report: Report = {
    categories: {
      performance: category('slow'),
      accessibility: category('fine', 'unknown', 'informative'),
      'best-practices': category('errors-in-console'),
      seo: category('links'),
    },
    audits: {
      slow: { score: 0.2, title: 'Slow' },
      fine: { score: 1, title: 'Fine' },
      informative: { score: null, title: 'For information' },
      'errors-in-console': { score: 0, title: 'Errors in the console', details: { items } },
      links: { score: 0, title: 'Links', details: { items: [{ description: 'a link' }] } },
    },
  };
  expect(failedAudits(report, ['accessibility', 'best-practices', 'seo'])).toEqual([
    `best-practices: Errors in the console | network Failed to load ${sourceLocation.url}`,
    'seo: Links',
  ]);
});

test('benchmarks: every file loads in plain Node, which accepts fewer kinds of imports than the test runner', () => {
  expect(
    execFileSync(process.execPath, ['test/bench/run.ts', '--help'], { encoding: 'utf8' }),
  ).toContain('growth');
});
