import { beforeEach, expect, it, vi } from 'vitest';
import { nextFrame } from '../../../../islands/runtime/navigation/next-frame.ts';

let frames: (() => void)[] = [];

beforeEach(() => {
  frames = [];
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (job: () => void) => frames.push(job));
});
it('next frame: resolves in a task after the frame', async () => {
  const resolved = vi.fn();
  nextFrame().then(resolved);
  for (const frame of frames) frame();
  await Promise.resolve();
  expect(resolved).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(resolved).toHaveBeenCalledOnce();
});

it('next frame: resolves without a frame in a hidden tab', async () => {
  const resolved = vi.fn();
  nextFrame().then(resolved);
  await vi.advanceTimersByTimeAsync(250);
  expect(resolved).toHaveBeenCalledOnce();
});
