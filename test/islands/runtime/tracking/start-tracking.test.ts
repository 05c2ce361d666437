import { beforeEach, expect, it, vi } from 'vitest';
import type { SentEvent } from '../../../../worker/analytics/rules/sent-event.ts';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => vi.resetModules());
/** Starts tracking in a browser of this kind; `sent` has the events sent by beacon. */
async function begin(main: Record<string, string>, cookie = '') {
  const local = new Map<string, string>();
  const { document } = fakeBrowser({ local, session: new Map(), main, cookie });
  const handlers: Record<string, () => void> = {};
  const addEventListener = (name: string, handler: () => void) => {
    handlers[name] = handler;
  };
  Object.assign(document, { addEventListener: () => {} });
  vi.stubGlobal('addEventListener', addEventListener);
  vi.stubGlobal('location', { pathname: '/', search: '', host: 'a.example' });
  const sent: Promise<SentEvent[]>[] = [];
  const sendBeacon = (_: string, body: Blob) =>
    sent.push(body.text().then((text) => JSON.parse(text).events)) > 0;
  vi.stubGlobal('navigator', { sendBeacon });
  const { startTracking } = await import('../../../../islands/runtime/tracking/start-tracking.ts');
  const { track } = await import('../../../../islands/runtime/tracking/track.ts');
  const { trackScreen } = await import('../../../../islands/runtime/tracking/screen-events.ts');
  track('load');
  trackScreen();
  startTracking();
  const sentEvents = async () => {
    handlers.pagehide?.();
    return (await Promise.all(sent.splice(0))).flat();
  };
  const leave = async () => (await sentEvents()).map(({ name }) => name);
  return { document, track, sentEvents, leave, local };
}

const withConsentRequired = { screen: 'signup', storage: 'memory', flow: 'default' };

it('tracking: buffers events until consent, also in another tab, and sends them once', async () => {
  const { document, track, leave } = await begin(withConsentRequired);
  expect(await leave()).toEqual([]);
  document.cookie = 'consent=3.yes';
  track('lead', { method: 'email' });
  const held = ['session_start', 'load', 'screen__load', 'signup__load', 'lead'];
  expect(await leave()).toEqual(held);
  expect(await leave()).toEqual([]);
});

it('tracking: uploads what an earlier document left, before anything new happens', async () => {
  const left = [{ id: 'v.load', name: 'load', at: 1, session: 'v', properties: {} }];
  const session = new Map([['funnel:1:queue', JSON.stringify(left)]]);
  fakeBrowser({ local: new Map(), session, main: withConsentRequired, cookie: 'consent=3.yes' });
  vi.stubGlobal('addEventListener', () => {});
  Object.assign(document, { addEventListener: () => {} });
  vi.stubGlobal('location', { pathname: '/', search: '', host: 'a.example' });
  const upload = vi.fn(async (_: string, _request: RequestInit) => new Response());
  vi.stubGlobal('fetch', upload);
  vi.useFakeTimers();
  const { startTracking } = await import('../../../../islands/runtime/tracking/start-tracking.ts');
  startTracking();
  await vi.runAllTimersAsync();
  expect(upload).toHaveBeenCalledOnce();
  expect(JSON.parse(String(upload.mock.calls[0]?.[1].body)).events).toEqual(left);
});

it('tracking: drops buffered events after a refusal, also in another tab', async () => {
  const { document, track, leave } = await begin(withConsentRequired, 'consent=3.yes');
  document.cookie = 'consent=3.no';
  expect(await leave()).toEqual([]);
  document.cookie = 'consent=3.yes';
  track('button__continue');
  expect(await leave()).toEqual(['button__continue']);
});

it('tracking: reports a checkout left without a purchase', async () => {
  const { leave, local } = await begin({ screen: 'pay', checkout: '/pay', flow: 'pay_first' });
  const sentEvents = await leave();
  expect(sentEvents.filter((name) => name === 'subs_purchase_screen_close')).toHaveLength(1);
  // The flow is named after the screen.
  expect(sentEvents).toContain('flow_entry');
  expect([...local.keys()]).toContain('funnel:1:visit');
});

it('tracking: timestamps are unique and increasing', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
  const { track, sentEvents } = await begin({ screen: 'signup', flow: 'default' });
  track('button__continue');
  vi.spyOn(Date, 'now').mockReturnValue(1_699_999_999_000);
  track('lead', { method: 'email' });
  const events = await sentEvents();
  expect(events.map(({ name }) => name).slice(0, 2)).toEqual(['session_start', 'load']);
  const first = 1_700_000_000_000;
  expect(events.map(({ at }) => at)).toEqual(events.map((_, place) => first + place));
});

it('tracking: an event of a visit is sent once, any other each time', async () => {
  const { track, leave } = await begin(withConsentRequired, 'consent=3.yes');
  await leave();
  for (const _ of [1, 2]) {
    track('checkout_screen_load', {}, 'visit');
    track('button__continue');
  }
  expect(await leave()).toEqual(['checkout_screen_load', 'button__continue', 'button__continue']);
});

it('tracking: sends events again whose upload got no response within 30 s', async () => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), ms);
    return controller.signal;
  });
  const hang = (_: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
  const upload = vi.fn(hang);
  vi.stubGlobal('fetch', upload);
  await begin(withConsentRequired, 'consent=3.yes');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(upload).toHaveBeenCalledTimes(1);
  // The timeout, and then the doubled interval between uploads.
  await vi.advanceTimersByTimeAsync(30_000 + 60_000 - 1);
  expect(upload).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(upload).toHaveBeenCalledTimes(2);
});

const minute = 60_000;

it('session: ends after 30 minutes of inactivity', async () => {
  fakeBrowser({ local: new Map() });
  const { sessionAt } = await import('../../../../islands/runtime/tracking/start-tracking.ts');
  const first = sessionAt(0);
  expect(first.begins).toBe(true);
  expect(sessionAt(29 * minute)).toEqual({ id: first.id, begins: false });
  expect(sessionAt(58 * minute)).toEqual({ id: first.id, begins: false });
  const second = sessionAt(88 * minute);
  expect(second.begins).toBe(true);
  expect(second.id).not.toBe(first.id);
});

it('session: is shared by tabs', async () => {
  fakeBrowser({ local: new Map() });
  const { sessionAt } = await import('../../../../islands/runtime/tracking/start-tracking.ts');
  const { id } = sessionAt(0);
  vi.resetModules();
  const other = await import('../../../../islands/runtime/tracking/start-tracking.ts');
  expect(other.sessionAt(minute)).toEqual({ id, begins: false });
});
