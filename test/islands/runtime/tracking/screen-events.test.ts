import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

type IntersectionCallback = (entries: { isIntersecting: boolean }[]) => void;

const observe = vi.fn();
const disconnect = vi.fn();
let see: IntersectionCallback = () => {};

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = observe;
      disconnect = disconnect;
      constructor(callback: IntersectionCallback) {
        see = callback;
      }
    },
  );
});
const visitor = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';

/** The events of a screen, with their deduplication keys. */
async function screen(
  { path, referrer = '', ...data }: Record<string, string>,
  ...children: ReturnType<typeof element>[]
) {
  const attributes = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [`data-${name}`, value]),
  );
  const { document } = openPage(documentWith(element('main', attributes, ...children)));
  document.referrer = referrer;
  document.cookie = `userUuid=${visitor}`;
  const { deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  const { trackScreen } = await import('../../../../islands/runtime/tracking/screen-events.ts');
  const sent: (string | undefined)[][] = [];
  deliverTo(({ name, once }) => sent.push(once === undefined ? [name] : [name, once]));
  trackScreen(path);
  return sent;
}

it('screen events: a screen within a flow is tracked', async () => {
  const data = { screen: 'signup', first: '/intro', flow: 'default', checkout: '/pay' };
  expect(await screen(data)).toEqual([['screen__load'], ['signup__load']]);
  expect(observe).not.toHaveBeenCalled();
});

it('screen events: the first screen starts the onboarding', async () => {
  expect(await screen({ screen: 'intro', first: '/intro', flow: 'default' })).toEqual([
    ['screen__load'],
    ['intro__load'],
    ['onboarding_start', 'visit'],
  ]);
});

it.each([
  ['the flow’s first screen', { screen: 'intro', first: '/intro' }, '', 'intro'],
  ['another screen', { screen: 'pay', first: '/intro' }, '', 'direct:pay'],
  ['after an advertisement', { screen: 'intro', first: '/intro' }, 'https://ads.example/', 'intro'],
  ['after one of our pages', { screen: 'pay', first: '/intro' }, 'https://a.example/intro', null],
])(
  'screen events: %s is remembered in memory as the landing',
  async (_case, data, referrer, landing) => {
    await screen({ flow: 'default', referrer, ...data });
    const { landingKey, memoryEntries } = await import(
      '../../../../islands/runtime/storage/state-storage.ts'
    );
    const found = () => memoryEntries().find(([key]) => key === landingKey)?.[1] ?? null;
    expect(found()).toBe(landing);
    const { trackScreen } = await import('../../../../islands/runtime/tracking/screen-events.ts');
    trackScreen('later');
    expect(found()).toBe(landing);
  },
);

it.each([
  // The screen's id, or the alias under which it was opened.
  [{ screen: 'searching', flow: 'searching_2' }, true],
  [{ screen: 'searching', flow: 'searching' }, true],
  [{ screen: 'intro', path: 'lp11', flow: 'lp11ch8' }, true],
  [{ screen: 'intro', path: 'spring', flow: 'lp11ch8' }, false],
  [{ screen: 'intro', path: 'lp11', flow: 'lp1ch2' }, false],
  [{ screen: 'searching_2', flow: 'searching' }, false],
  [{ screen: 'intro', flow: '' }, false],
])('screen events: %o enters its flow: %j', async (data, enters) => {
  const sent = (await screen({ first: '/other', ...data })).filter(
    ([name]) => name === 'flow_entry',
  );
  expect(sent).toEqual(enters ? [['flow_entry', `${visitor}.${data.flow}`]] : []);
});

const checkout = { screen: 'pay', first: '/intro', flow: 'default', checkout: '/pay' };

it.each(['plan-picker', 'order-summary'])(
  'screen events: the plans of %s count once they are visible',
  async (name) => {
    const plans = element('fieldset');
    const sent = await screen(checkout, element('x-island', { name }, plans));
    expect(sent.slice(2)).toEqual([['checkout_screen_load', 'visit']]);
    expect(observe).toHaveBeenCalledExactlyOnceWith(plans);
    see([{ isIntersecting: false }]);
    expect([sent.length, disconnect.mock.calls.length]).toEqual([3, 0]);
    see([{ isIntersecting: false }, { isIntersecting: true }]);
    expect(sent.slice(3)).toEqual([['subs_purchase_show', 'visit']]);
    expect(disconnect).toHaveBeenCalledOnce();
  },
);

it('screen events: plans count as visible where a browser cannot observe them', async () => {
  Reflect.deleteProperty(globalThis, 'IntersectionObserver');
  const sent = await screen(checkout, element('x-island', { name: 'plan-picker' }, element('p')));
  expect(sent.slice(2)).toEqual([
    ['checkout_screen_load', 'visit'],
    ['subs_purchase_show', 'visit'],
  ]);
});

it('screen events: a paywall’s checkout counts when it opens; without plans nothing is observed', async () => {
  const paywall = element('x-island', { name: 'reveal-checkout' });
  const empty = element('x-island', { name: 'plan-picker' });
  expect((await screen(checkout, paywall, empty)).slice(2)).toEqual([]);
  expect((await screen(checkout, paywall)).slice(2)).toEqual([]);
  expect(observe).not.toHaveBeenCalled();
});
