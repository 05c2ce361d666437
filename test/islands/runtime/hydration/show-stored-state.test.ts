import { expect, it, vi } from 'vitest';
import {
  formatClock,
  showStoredState,
} from '../../../../islands/runtime/hydration/show-stored-state.ts';
import { fakeBrowser } from '../../browser.ts';

it.each([
  [300_000, '5:00'],
  [299_001, '5:00'],
  [61_000, '1:01'],
  [9_000, '0:09'],
  [1, '0:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('stored state: formats %i ms as %s', (left, text) => {
  expect(formatClock(left, 0)).toBe(text);
});

it('stored state: fills in known values and leaves other placeholders unchanged', () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const local = new Map([
    ['funnel:1:map', JSON.stringify({ phone: '+1 212 555 0100', at: Date.now() })],
    ['funnel:1:app', JSON.stringify({ deadline: Date.now() + 65_000 })],
  ]);
  fakeBrowser({ local });
  const boxes = ['map.phone', 'app.timer', 'signup.email'].map((fill) => {
    return { dataset: { fill }, textContent: 'as it was' };
  });
  showStoredState({
    querySelectorAll: (wanted: string) => (wanted === '[data-fill]' ? boxes : []),
  } as never);
  expect(boxes.map((box) => box.textContent)).toEqual(['+1 212 555 0100', '1:05', 'as it was']);
});

it.each([
  [undefined, false],
  [null, false],
  [1_700_000_000_001, false],
  [1_700_000_000_000, true],
])('stored state: an offer until %j is expired: %j', (deadline, over) => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  fakeBrowser({ local: new Map([['funnel:1:app', JSON.stringify({ deadline })]]) });
  const part = { dataset: { need: 'app.offer-active' }, toggleAttribute: vi.fn() };
  const page = { querySelectorAll: (wanted: string) => (wanted === '[data-need]' ? [part] : []) };
  showStoredState(page as never);
  expect(part.toggleAttribute).toHaveBeenCalledWith('data-missing', over);
});

it('stored state: marks a missing step and removes the mark once the step is done', () => {
  const session = new Map<string, string>();
  fakeBrowser({ session });
  const marks = new Map<string, boolean>();
  const part = {
    dataset: { need: 'signup.token' },
    toggleAttribute: (name: string, on: boolean) => marks.set(name, on),
  };
  const page = { querySelectorAll: (wanted: string) => (wanted === '[data-need]' ? [part] : []) };
  showStoredState(page as never);
  expect(marks.get('data-missing')).toBe(true);
  session.set('access_token', 'signed');
  showStoredState(page as never);
  expect(marks.get('data-missing')).toBe(false);
});
