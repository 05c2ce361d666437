import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
async function open() {
  const page = openPage(documentWith(element('main')));
  const module = await import('../../../../islands/runtime/hydration/when-quiet.ts');
  const quiet = vi.fn();
  return { ...page, ...module, quiet };
}

it('quiet: begins a second after the last touch', async () => {
  const { fire, whenQuiet, quiet } = await open();
  whenQuiet().then(quiet);
  await vi.advanceTimersByTimeAsync(900);
  fire('keydown', { target: {} });
  await vi.advanceTimersByTimeAsync(900);
  fire('pointerdown', { target: {} });
  await vi.advanceTimersByTimeAsync(999);
  expect(quiet).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(quiet).toHaveBeenCalledOnce();
});

it('quiet: begins a second after this code was loaded, which a touch may have requested', async () => {
  const { whenQuiet, quiet } = await open();
  whenQuiet().then(quiet);
  await vi.advanceTimersByTimeAsync(999);
  expect(quiet).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(quiet).toHaveBeenCalledOnce();
});

it('quiet: begins at once when the touched element is removed', async () => {
  const { whenQuiet, forgetTouches, quiet } = await open();
  forgetTouches();
  whenQuiet().then(quiet);
  await vi.advanceTimersByTimeAsync(0);
  expect(quiet).toHaveBeenCalledOnce();
});

it('quiet: does not begin while a touch is being answered, one at a time', async () => {
  const { whenQuiet, runExclusively, forgetTouches, quiet } = await open();
  forgetTouches();
  const island = element('x-island') as never;
  let end = (_answered: boolean) => {};
  const answer = runExclusively(
    island,
    () =>
      new Promise((done) => {
        end = done;
      }),
  );
  const other = vi.fn(async () => false);
  expect(await runExclusively(island, other)).toBe(true);
  expect(other).not.toHaveBeenCalled();
  whenQuiet().then(quiet);
  await vi.advanceTimersByTimeAsync(5000);
  expect(quiet).not.toHaveBeenCalled();
  end(false);
  expect(await answer).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(quiet).toHaveBeenCalledOnce();
});
