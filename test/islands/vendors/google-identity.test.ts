import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type GoogleState, startGoogle } from '../../../islands/vendors/google-identity.ts';

const id = { initialize: vi.fn(), renderButton: vi.fn(), prompt: vi.fn() };
const added: { src: string; onload: () => void; onerror: () => void }[] = [];
const onCredential = vi.fn();
let states: GoogleState[] = [];
let dark = false;
let turn = 0;

beforeEach(() => {
  vi.useFakeTimers();
  added.length = 0;
  states = [];
  dark = false;
  turn += 1;
  vi.stubGlobal('window', {});
  vi.stubGlobal('matchMedia', () => ({ matches: dark }));
  vi.stubGlobal('document', {
    createElement: () => ({ remove: () => {} }),
    head: { append: (element: (typeof added)[number]) => added.push(element) },
  });
});
afterEach(() => {
  vi.resetAllMocks();
});

const start = (more: { clientId?: string; vendors?: string; width?: number } = {}) =>
  startGoogle({
    clientId: more.clientId ?? 'client',
    // A different URL for each test, because a script is loaded once.
    vendors: more.vendors ?? `/fakes-${turn}`,
    language: 'en',
    box: { clientWidth: more.width ?? 343 } as HTMLElement,
    onState: (state) => states.push(state),
    onCredential: onCredential,
  });
/** The script loads and sets its global. */
const arrive = (api = { ...id }) => {
  Object.assign(window, { google: { accounts: { id: api } } });
  added.at(-1)?.onload();
  return api;
};

it('google identity: polls every 100 ms, the button is ready after 1 s', async () => {
  start();
  await vi.advanceTimersByTimeAsync(450);
  expect(states).toEqual(['waiting']);
  arrive();
  await vi.advanceTimersByTimeAsync(49);
  expect(states).toEqual(['waiting']);
  await vi.advanceTimersByTimeAsync(1);
  expect(states).toEqual(['waiting', 'ready']);
  await vi.advanceTimersByTimeAsync(999);
  expect(states).toEqual(['waiting', 'ready']);
  await vi.advanceTimersByTimeAsync(1);
  expect(states).toEqual(['waiting', 'ready', 'preloaded']);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['', 'https://accounts.google.com/gsi/client'],
  ['/fakes', '/fakes/accounts.google.com/gsi/client'],
])('google identity: with the vendor prefix %j the script is %s', (vendors, source) => {
  start({ vendors }).stop();
  expect(added.map(({ src }) => src)).toEqual([source]);
});

it('google identity: initializes once and passes credentials on', async () => {
  const first = start();
  const { initialize } = arrive();
  await vi.advanceTimersByTimeAsync(100);
  const [config] = initialize.mock.calls[0] ?? [];
  expect(config).toMatchObject({ client_id: 'client', ux_mode: 'popup' });
  first.stop();
  start();
  await vi.advanceTimersByTimeAsync(100);
  expect(initialize).toHaveBeenCalledTimes(1);
  config.callback({ credential: 'signed', select_by: 'btn' });
  config.callback({});
  config.callback(undefined);
  expect(onCredential.mock.calls).toEqual([['signed'], [undefined], [undefined]]);
});

it.each([
  [1000, false, 400, 'outline'],
  [318, false, 318, 'outline'],
  [120, true, 200, 'filled_black'],
])(
  'google identity: in a box of %i px, dark %s, the button is %i px and %s',
  async (box, isDark, width, theme) => {
    dark = isDark;
    start({ width: box });
    const { renderButton } = arrive();
    await vi.advanceTimersByTimeAsync(100);
    expect(renderButton.mock.calls[0]?.[1]).toMatchObject({ width, theme, locale: 'en' });
  },
);

it('google identity: the button is redrawn after a change of width or colour, and only then', async () => {
  const box = { clientWidth: 245 };
  const { redraw } = startGoogle({
    clientId: 'client',
    vendors: `/fakes-${turn}`,
    language: 'en',
    box: box as HTMLElement,
    onState: (state) => states.push(state),
    onCredential: onCredential,
  });
  redraw();
  const { renderButton } = arrive();
  await vi.advanceTimersByTimeAsync(1100);
  redraw();
  await vi.advanceTimersByTimeAsync(1100);
  expect(renderButton).toHaveBeenCalledTimes(1);
  box.clientWidth = 331;
  redraw();
  box.clientWidth = 331;
  dark = true;
  redraw();
  await vi.advanceTimersByTimeAsync(1200);
  expect(renderButton).toHaveBeenCalledTimes(2);
  expect(renderButton.mock.calls[1]?.[1]).toMatchObject({ width: 331, theme: 'filled_black' });
  expect(states).toEqual(['waiting', 'ready', 'preloaded', 'ready', 'preloaded']);
});

it('google identity: loads nothing without a client id', () => {
  start({ clientId: '' });
  expect([states, added]).toEqual([['unconfigured'], []]);
});

it('google identity: a failed script is reported and can be retried', async () => {
  const { again } = start();
  added[0]?.onerror();
  await vi.advanceTimersByTimeAsync(100);
  expect(states).toEqual(['waiting', 'unavailable']);
  again();
  arrive();
  await vi.advanceTimersByTimeAsync(1100);
  expect(states.slice(2)).toEqual(['waiting', 'ready', 'preloaded']);
  expect(added).toHaveLength(2);
});

it('google identity: an empty script is unavailable', async () => {
  start();
  added[0]?.onload();
  await vi.advanceTimersByTimeAsync(100);
  expect(states).toEqual(['waiting', 'unavailable']);
});

it.each(['initialize', 'renderButton'] as const)(
  'google identity: an exception in %s is tolerated',
  async (part) => {
    start();
    const broken = () => {
      throw new Error('no');
    };
    arrive({ ...id, [part]: vi.fn(broken) });
    await vi.advanceTimersByTimeAsync(5000);
    expect(states).toEqual(['waiting', 'uninitialized']);
  },
);

it.each([50, 500])('google identity: stops after unmounting at %i ms', async (ms) => {
  const { stop } = start();
  arrive();
  await vi.advanceTimersByTimeAsync(ms);
  const before = [...states];
  stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(states).toEqual(before);
});
