import { beforeEach, expect, it } from 'vitest';
import { $app, secondsLeft, stopTimer, tickTimer } from '../../../islands/stores/app.ts';

const start = 1_700_000_000_000;

const defaults = $app.get();
beforeEach(() => $app.set(defaults));

it('app store: the timer starts at 300 s, ticks every second, stops at 0', () => {
  tickTimer(start);
  expect($app.get().timerSeconds).toBe(300);
  tickTimer(start + 1000);
  expect($app.get().timerSeconds).toBe(299);
  tickTimer(start + 299_999);
  expect($app.get().timerSeconds).toBe(1);
  tickTimer(start + 300_000);
  tickTimer(start + 900_000);
  expect($app.get().timerSeconds).toBe(0);
});

it('app store: the timer is null off its screen and resumes with the same deadline', () => {
  tickTimer(start);
  stopTimer();
  expect($app.get()).toMatchObject({ timerSeconds: null, deadline: start + 300_000 });
  tickTimer(start + 60_000);
  expect($app.get().timerSeconds).toBe(240);
});

it('app store: counts whole seconds', () => {
  expect(secondsLeft(start, start - 1)).toBe(1);
  expect(secondsLeft(start, start)).toBe(0);
  expect(secondsLeft(start, start + 5000)).toBe(0);
});
