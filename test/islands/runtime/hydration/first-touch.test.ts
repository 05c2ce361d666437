import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const mocks = vi.hoisted(() => ({
  handleBack: vi.fn(),
  interceptForms: vi.fn(),
  hydrateNow: vi.fn(async () => {}),
  prefetchPage: vi.fn(),
  track: vi.fn(),
  trackScreen: vi.fn(),
  trackTapToDocument: vi.fn(),
  trackClicks: vi.fn(),
  countClick: vi.fn(),
  countContinue: vi.fn(),
  storeUndelivered: vi.fn(),
  phoneStep: { touch: vi.fn(), answer: vi.fn() },
  loadShared: vi.fn(),
}));
vi.mock('../../../../islands/runtime/navigation/back-button.ts', () => mocks);
vi.mock('../../../../islands/runtime/navigation/intercept-forms.ts', () => mocks);
vi.mock('../../../../islands/runtime/navigation/fetch-page.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/chunks.ts', () => mocks);
vi.mock('../../../../islands/runtime/tracking/track.ts', () => mocks);
vi.mock('../../../../islands/runtime/tracking/screen-events.ts', () => mocks);
vi.mock('../../../../islands/runtime/tracking/tap-to-screen.ts', () => mocks);
vi.mock('../../../../islands/runtime/tracking/click-events.ts', () => mocks);
vi.mock('../../../../islands/phone/phone-step.ts', () => mocks);
vi.mock('../../../../islands/phone/search-step.ts', () => ({ searchStep: {} }));
vi.mock('../../../../islands/account/email-step.ts', () => ({ emailStep: {} }));

/** A page with an island; its form was submitted before this code was there. */
async function open(name: string, kind = 'ordinary') {
  const button = element('button', { id: 'continue-button' });
  const form = Object.assign(element('form', {}, button), { requestSubmit: vi.fn() });
  const island = element('x-island', { name }, form);
  const page = openPage(documentWith(element('main', { 'data-kind': kind }, island)));
  const replay = await import('../../../../islands/runtime/hydration/event-replay.ts');
  replay.captureEarlyEvents(() => {});
  page.fire('submit', { target: form, submitter: button });
  const module = await import('../../../../islands/runtime/hydration/first-touch.ts');
  return { ...page, ...module, form, button, island, replay: () => replay.replay(island as never) };
}

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
});
afterEach(() => void vi.unstubAllGlobals());

it('first touch: a plain step is answered once, counted, and without React', async () => {
  const { answer, form, button, island, replay } = await open('phone-form');
  const go = vi.fn(async () => {});
  mocks.phoneStep.answer.mockReturnValue(go);
  await answer(island as never);
  await answer(island as never);
  expect(mocks.phoneStep.answer.mock.calls).toEqual([[form, island]]);
  expect(go).toHaveBeenCalledOnce();
  expect(mocks.countContinue).toHaveBeenCalledExactlyOnceWith(button);
  expect(mocks.phoneStep.touch).toHaveBeenCalledOnce();
  expect(mocks.prefetchPage).toHaveBeenCalledOnce();
  expect(mocks.hydrateNow).not.toHaveBeenCalled();
  replay();
  expect(form.requestSubmit).not.toHaveBeenCalled();
});

it('first touch: React gets what a plain step cannot answer', async () => {
  const { answer, form, island, replay } = await open('phone-form');
  mocks.phoneStep.answer.mockReturnValue(null);
  await answer(island as never);
  expect(mocks.hydrateNow).toHaveBeenCalledExactlyOnceWith(island);
  expect(mocks.countContinue).not.toHaveBeenCalled();
  replay();
  expect(form.requestSubmit).toHaveBeenCalledOnce();
});

it('first touch: any other island is hydrated at once', async () => {
  const { answer, island } = await open('card-form');
  await answer(island as never);
  expect(mocks.hydrateNow).toHaveBeenCalledExactlyOnceWith(island);
});

it('first touch: starts history, forms and tracking', async () => {
  const { fire } = await open('card-form');
  expect([mocks.handleBack, mocks.interceptForms].map(({ mock }) => mock.calls.length)).toEqual([
    1, 1,
  ]);
  expect(mocks.track).toHaveBeenCalledExactlyOnceWith('load');
  expect(mocks.trackScreen).toHaveBeenCalledOnce();
  fire('pagehide');
  expect(mocks.storeUndelivered).toHaveBeenCalledOnce();
});

it('first touch: a private page is not tracked', async () => {
  await open('invitee-response', 'private');
  expect(mocks.handleBack).toHaveBeenCalledOnce();
  expect([mocks.track, mocks.trackScreen].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});
