import { beforeEach, expect, it, vi } from 'vitest';
import { awaitChallenge, ChallengeError } from '../../../islands/vendors/bank-challenge.ts';

beforeEach(() => void vi.useFakeTimers());
/** Work whose end the test controls. */
function work() {
  let finish = (_answer: string) => {};
  const promise = new Promise<string>((done) => {
    finish = done;
  });
  return { promise, finish };
}

/** A pending challenge, and whether it has ended. */
function waitFor(promise: Promise<string>, open: () => boolean) {
  const end = vi.fn();
  awaitChallenge(promise, open).then(end, end);
  return end;
}

it('bank challenge: fails within 30 s when no bank page opens', async () => {
  const end = waitFor(work().promise, () => false);
  await vi.advanceTimersByTimeAsync(24_000);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(end).toHaveBeenCalledExactlyOnceWith(new ChallengeError('challenge_unavailable'));
});

it('bank challenge: has no limit while the bank page is open', async () => {
  const { promise, finish } = work();
  const end = waitFor(promise, () => true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(end).not.toHaveBeenCalled();
  finish('verified');
  await vi.advanceTimersByTimeAsync(0);
  expect(end).toHaveBeenCalledExactlyOnceWith('verified');
});

it('bank challenge: restarts the timeout after each bank page', async () => {
  let open = true;
  const end = waitFor(work().promise, () => open);
  await vi.advanceTimersByTimeAsync(100_000);
  open = false;
  await vi.advanceTimersByTimeAsync(24_000);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(end).toHaveBeenCalledExactlyOnceWith(new ChallengeError('challenge_unavailable'));
});

it('bank challenge: clears its timers', async () => {
  const { promise, finish } = work();
  waitFor(promise, () => false);
  finish('verified');
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  const refused = awaitChallenge(Promise.reject(new Error('no')), () => false);
  await expect(refused).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
});
