import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

beforeEach(() => vi.resetModules());
/** A screen whose button is in an island. */
async function open(island: Record<string, string | boolean> = {}) {
  const button = element('button', { id: 'continue-button' });
  const owner = element('x-island', island, button);
  const page = openPage(documentWith(element('main', { 'data-screen': 'signup' }, owner)));
  vi.stubGlobal('performance', {
    timeOrigin: 10_000,
    now: () => 0,
    getEntriesByName: () => [{ startTime: 250 }],
  });
  const { deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  const taps = await import('../../../../islands/runtime/tracking/tap-to-screen.ts');
  const sent: unknown[] = [];
  deliverTo(({ name, properties }) => sent.push([name, properties]));
  const tap = (timeStamp: number, isTrusted = true) =>
    page.fire('click', { target: button, timeStamp, isTrusted });
  return { ...page, ...taps, sent, tap, owner };
}

const vitals = (tap_to_screen: number, before_react: number) => [
  'web_vitals',
  { tap_to_screen, before_react, screen_name: 'signup' },
];

it('tap to screen: measures from the last tap to the next screen, once', async () => {
  const { tap, recordLeaving: noteLeaving, trackTapToScreen, sent } = await open({ live: true });
  tap(100);
  tap(300);
  noteLeaving();
  trackTapToScreen(380.4);
  trackTapToScreen(500);
  noteLeaving();
  trackTapToScreen(600);
  expect(sent).toEqual([vitals(80, 0)]);
});

it('tap to screen: a tap is marked as before React until the island is live', async () => {
  const { tap, recordLeaving: noteLeaving, trackTapToScreen, sent, owner } = await open();
  tap(100);
  noteLeaving();
  trackTapToScreen(150);
  tap(200);
  owner.setAttribute('live', '');
  noteLeaving();
  trackTapToScreen(290);
  expect(sent).toEqual([vitals(50, 1), vitals(90, 0)]);
});

it('tap to screen: a buffered tap is measured from the tap, not from its replay', async () => {
  const {
    tap,
    recordLeaving: noteLeaving,
    trackTapToScreen,
    sent,
  } = await open({ 'data-buffered': '120.5' });
  tap(700, false);
  noteLeaving();
  trackTapToScreen(800.5);
  expect(sent).toEqual([vitals(680, 1)]);
});

it('tap to screen: the measurement continues in the next document', async () => {
  const { tap, recordLeaving: noteLeaving, trackTapToDocument, sent } = await open();
  tap(9000);
  noteLeaving();
  const { memoryEntries } = await import('../../../../islands/runtime/storage/state-storage.ts');
  const kept = memoryEntries();
  expect(sent).toEqual([]);
  vi.resetModules();
  const next = await open();
  vi.stubGlobal('performance', { ...performance, timeOrigin: 19_100 });
  const { writeMemory } = await import('../../../../islands/runtime/storage/state-storage.ts');
  writeMemory(kept);
  next.trackTapToDocument();
  trackTapToDocument();
  expect(next.sent).toEqual([vitals(350, 1)]);
});

it('tap to screen: without a tap nothing is measured', async () => {
  const { recordLeaving: noteLeaving, trackTapToScreen, sent } = await open();
  noteLeaving();
  trackTapToScreen(100);
  expect(sent).toEqual([]);
});
