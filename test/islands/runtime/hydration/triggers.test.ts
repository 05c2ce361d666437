import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

type IntersectionCallback = (entries: { isIntersecting: boolean }[]) => void;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
const load = async () => {
  const { triggers } = await import('../../../../islands/runtime/hydration/scheduler.ts');
  const done = vi.fn();
  const start = (when: string, island = element('x-island')) => {
    triggers[when]?.(island as never).then(done);
    return vi.advanceTimersByTimeAsync(0);
  };
  return { done, start };
};

it('triggers: `load` hydrates at once, `interaction` never by itself', async () => {
  openPage(documentWith(element('main')));
  const { done, start } = await load();
  await start('interaction');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(done).not.toHaveBeenCalled();
  await start('load');
  expect(done).toHaveBeenCalledOnce();
});

it('triggers: `visible` waits until a child is near the window', async () => {
  openPage(documentWith(element('main')));
  const [observed, disconnect] = [vi.fn(), vi.fn()];
  let see: IntersectionCallback = () => {};
  let margin = '';
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = observed;
      disconnect = disconnect;
      constructor(callback: IntersectionCallback, { rootMargin }: { rootMargin: string }) {
        see = callback;
        margin = rootMargin;
      }
    },
  );
  const child = element('div');
  const { done, start } = await load();
  await start('visible', element('x-island', {}, child));
  expect(observed.mock.calls).toEqual([[child]]);
  expect(margin).toBe('200px');
  see([{ isIntersecting: false }]);
  await vi.advanceTimersByTimeAsync(0);
  expect([done.mock.calls.length, disconnect.mock.calls.length]).toEqual([0, 0]);
  see([{ isIntersecting: false }, { isIntersecting: true }]);
  await vi.advanceTimersByTimeAsync(0);
  expect([done.mock.calls.length, disconnect.mock.calls.length]).toEqual([1, 1]);
});

it('triggers: `idle` uses the browser’s idle callback with a limit of 2 s', async () => {
  const page = openPage(documentWith(element('main')));
  const request = vi.fn((job: () => void, _options: object) => void setTimeout(job, 5));
  Object.assign(page.window, { requestIdleCallback: request });
  vi.stubGlobal('requestIdleCallback', request);
  const { done, start } = await load();
  await start('idle');
  expect(request.mock.calls[0]?.[1]).toEqual({ timeout: 2000 });
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5);
  expect(done).toHaveBeenCalledOnce();
});

it('triggers: `idle` waits 200 ms in a browser without idle callbacks', async () => {
  openPage(documentWith(element('main')));
  const { done, start } = await load();
  await start('idle');
  await vi.advanceTimersByTimeAsync(199);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalledOnce();
});

/** Waits for a settled page; `paint` reports a largest contentful paint. */
async function settling(readyState: string, paints: boolean) {
  const page = openPage(documentWith(element('main')));
  page.document.readyState = readyState;
  let paint = () => {};
  const observe = vi.fn();
  if (paints) {
    const Observer = class {
      static supportedEntryTypes = ['largest-contentful-paint'];
      observe = observe;
      constructor(callback: () => void) {
        paint = callback;
      }
    };
    Object.assign(page.window, { PerformanceObserver: Observer });
    vi.stubGlobal('PerformanceObserver', Observer);
  }
  const { whenPageSettled } = await import('../../../../islands/runtime/hydration/triggers.ts');
  const settled = vi.fn();
  whenPageSettled().then(settled);
  return { ...page, paint: () => paint(), settled, observe };
}

/** A delay in place of the idle callback that this browser does not have. */
const idleMs = 200;

it('page settled: 600 ms after the last large paint of a loaded page', async () => {
  const { document, fire, paint, settled, observe } = await settling('loading', true);
  expect(observe).toHaveBeenCalledWith({ type: 'largest-contentful-paint', buffered: true });
  paint();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(settled).not.toHaveBeenCalled();
  document.readyState = 'complete';
  fire('load');
  await vi.advanceTimersByTimeAsync(500);
  paint();
  await vi.advanceTimersByTimeAsync(600 + idleMs - 1);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalledOnce();
});

it.each([
  { name: 'a browser without paint entries', paints: false },
  { name: 'a hidden tab, which paints nothing', paints: true },
])('page settled: after 3 s in $name', async ({ paints }) => {
  const { settled } = await settling('complete', paints);
  await vi.advanceTimersByTimeAsync(3000 + idleMs - 1);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalledOnce();
});
