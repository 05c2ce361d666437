import { beforeEach, expect, it, vi } from 'vitest';
import type { TrackedEvent } from '../../../../islands/runtime/tracking/track.ts';
import { documentWith, element, type FakeElement, openPage } from '../../dom.ts';

beforeEach(() => vi.resetModules());
type Hooks =
  typeof import('../../../../islands/runtime/navigation/visit-hooks.ts')['navigationHooks'];

/** A page whose elements were clicked before tracking loaded. @param meanwhile what else happened before */
async function open(kind = 'ordinary', meanwhile = (_main: FakeElement, _hooks: Hooks) => {}) {
  const button = element('button', { id: 'continue-button' });
  const form = element('form', {}, button);
  const main = element('main', { 'data-screen': 'signup', 'data-kind': kind }, form);
  const page = openPage(documentWith(main));
  vi.stubGlobal('performance', { timeOrigin: 0, now: () => 0, getEntriesByName: () => [] });
  const { beforeFirstTouch: early } = await import(
    '../../../../islands/runtime/hydration/event-replay.ts'
  );
  const { navigationHooks: hooks } = await import(
    '../../../../islands/runtime/navigation/visit-hooks.ts'
  );
  const { deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  hooks.tracked = vi.fn();
  early.count(button as never);
  hooks.opened('/signup');
  early.count = (target) => hooks.clicked(target);
  meanwhile(main, hooks);
  const sent: string[] = [];
  const events: TrackedEvent[] = [];
  deliverTo((event) => {
    sent.push(event.name);
    events.push(event);
  });
  await import('../../../../islands/runtime/tracking/visit-events.ts');
  return { ...page, form, button, early, hooks, sent, events, deliverTo };
}

const before = ['load', 'screen__load', 'signup__load', 'click', 'signup__click'];

it('visit events: earlier events come first, then each new one, in order and once', async () => {
  const { form, button, early, hooks, sent, document } = await open();
  expect(hooks.tracked).toHaveBeenCalledOnce();
  expect(sent).toEqual(before);
  sent.length = 0;
  early.count(button as never);
  hooks.continued(form as never);
  hooks.leaving();
  const main = document.querySelector('main');
  if (main) main.dataset.screen = 'pay';
  hooks.shown(100);
  expect(sent).toEqual(['click', 'signup__click', 'button__continue', 'screen__load', 'pay__load']);
});

it('visit events: a chosen option is tracked, and how long a tap took to the next screen', async () => {
  const { button, fire, hooks, deliverTo } = await open();
  const sent: unknown[] = [];
  deliverTo(({ name, properties }) => sent.push([name, properties]));
  fire('change', { target: { type: 'radio', value: 'child' } });
  fire('click', { target: button, timeStamp: 20, isTrusted: true });
  hooks.leaving();
  hooks.shown(100);
  const screen_name = 'signup';
  expect(sent.slice(0, 2)).toEqual([
    ['option__redirect', { screen_name, option: 'child' }],
    ['web_vitals', { screen_name, tap_to_screen: 80, before_react: 1 }],
  ]);
});

it('visit events: without a first paint, the time on a screen counts from the document’s start', async () => {
  const { form, hooks, deliverTo } = await open();
  const deliver = vi.fn();
  deliverTo(deliver);
  // Half of a tenth is rounded up, so that a later start of 1 ms would give 6.2 s.
  vi.stubGlobal('performance', { now: () => 6250 });
  hooks.continued(form as never);
  const properties = { screen_name: 'signup', seconds: 6.3 };
  expect(deliver).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ name: 'button__continue', properties }),
  );
});

it('visit events: a field marked as invalid counts, and a corrected one does not', async () => {
  const { mutate, deliverTo } = await open();
  const fields: unknown[] = [];
  deliverTo(({ name, properties }) => fields.push([name, properties.field]));
  mutate({ ariaInvalid: 'true', name: 'email' });
  mutate({ ariaInvalid: null, name: 'phone' });
  expect(fields).toEqual([['input_refused', 'email']]);
});

it('visit events: leaving the question screen counts its answers', async () => {
  const { hooks, deliverTo } = await open();
  const deliver = vi.fn();
  deliverTo(deliver);
  hooks.answered({ who: 'child' });
  const properties = { screen_name: 'signup', who: 'child' };
  expect(deliver).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ name: 'questions_answered', properties }),
  );
});

it('visit events: what happened before tracking was loaded keeps its screen and its time', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { events } = await open('ordinary', (landing, hooks) => {
    vi.setSystemTime(12_000);
    hooks.continued(landing.children[0] as never);
    const button = element('button', { id: 'skip' });
    const next = element('main', { 'data-screen': 'searching' }, button);
    landing.before(next);
    landing.remove();
    vi.setSystemTime(12_100);
    hooks.shown(2050);
    vi.setSystemTime(15_000);
    hooks.clicked(button as never);
    const last = element('main', { 'data-screen': 'email' });
    next.before(last);
    next.remove();
    // Swapped in, and not painted yet: the screen is tracked when it is.
    vi.setSystemTime(20_000);
  });
  expect(events.map(({ name, properties, at }) => [name, properties, at])).toEqual([
    ['load', { screen_name: 'signup' }, 10_000],
    ['screen__load', { screen_name: 'signup' }, 10_000],
    ['signup__load', { screen_name: 'signup' }, 10_000],
    ['click', { screen_name: 'signup', target: 'continue-button' }, 10_000],
    ['signup__click', { screen_name: 'signup', target: 'continue-button' }, 10_000],
    ['button__continue', { screen_name: 'signup', seconds: 12 }, 12_000],
    ['screen__load', { screen_name: 'searching' }, 12_100],
    ['searching__load', { screen_name: 'searching' }, 12_100],
    ['click', { screen_name: 'searching', target: 'skip' }, 15_000],
    ['searching__click', { screen_name: 'searching', target: 'skip' }, 15_000],
  ]);
});

it('visit events: a private page is not tracked', async () => {
  const { hooks, early, button, sent } = await open('private');
  early.count(button as never);
  hooks.shown(100);
  expect(sent).toEqual([]);
  expect(hooks.tracked).toHaveBeenCalledOnce();
});

it.each([499, 500])(
  'visit events: a failure is reported once the page has stayed for 500 ms: %i ms',
  async (openMs) => {
    vi.useFakeTimers();
    openPage(documentWith(element('main', { 'data-screen': 'signup' })));
    const sendBeacon = vi.fn();
    vi.stubGlobal('navigator', { sendBeacon });
    // A browser without it.
    vi.stubGlobal('MutationObserver', undefined);
    vi.stubGlobal('performance', { timeOrigin: 0, now: () => 0, getEntriesByName: () => [] });
    await import('../../../../islands/runtime/tracking/visit-events.ts');
    await vi.advanceTimersByTimeAsync(openMs);
    expect(sendBeacon).toHaveBeenCalledTimes(openMs === 500 ? 1 : 0);
  },
);
