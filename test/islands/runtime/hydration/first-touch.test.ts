import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const mocks = vi.hoisted(() => ({
  handleBack: vi.fn(),
  interceptForms: vi.fn(),
  hydrateNow: vi.fn(async () => {}),
  prefetchPage: vi.fn(),
  savesData: () => false,
  phoneStep: { touch: vi.fn(), answer: vi.fn() },
  emailStep: { answer: vi.fn() },
  loadEmailStep: vi.fn(async () => mocks),
  loadShared: vi.fn(),
}));
const quiet = vi.hoisted(() => ({ forgetTouches: vi.fn(), whenQuiet: async () => {} }));
vi.mock('../../../../islands/runtime/navigation/back-button.ts', () => mocks);
vi.mock('../../../../islands/runtime/navigation/intercept-forms.ts', () => mocks);
vi.mock('../../../../islands/runtime/navigation/fetch-page.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/chunks.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/when-quiet.ts', async (original) => ({
  ...(await original<object>()),
  ...quiet,
}));
vi.mock('../../../../islands/phone/phone-step.ts', () => mocks);
vi.mock('../../../../islands/phone/search-step.ts', () => ({ searchStep: {} }));

/** A page with an island whose form was submitted before this code was loaded. */
async function open(name: string, tracked = true) {
  const button = element('button', { id: 'continue-button' });
  const form = Object.assign(element('form', {}, button), { requestSubmit: vi.fn() });
  const island = element('x-island', { name }, form);
  const page = openPage(documentWith(element('main', {}, island)));
  const replay = await import('../../../../islands/runtime/hydration/event-replay.ts');
  replay.captureEarlyEvents(() => {});
  page.fire('submit', { target: form, submitter: button });
  const module = await import('../../../../islands/runtime/hydration/first-touch.ts');
  const { navigationHooks: hooks } = await import(
    '../../../../islands/runtime/navigation/visit-hooks.ts'
  );
  hooks.continued = vi.fn();
  if (tracked) hooks.tracked();
  const { beforeFirstTouch: early } = replay;
  const replayed = () => replay.replay(island as never);
  return { ...page, ...module, form, island, hooks, early, replay: replayed };
}

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
});
it('first touch: a plain step is answered once, counted, and without React', async () => {
  const { answer, form, island, hooks, replay } = await open('phone-form');
  const go = vi.fn(async () => {});
  mocks.phoneStep.answer.mockReturnValue(go);
  await answer(island as never);
  await answer(island as never);
  expect(mocks.phoneStep.answer.mock.calls).toEqual([[form, island]]);
  expect(go).toHaveBeenCalledOnce();
  expect(hooks.continued).toHaveBeenCalledExactlyOnceWith(form);
  expect(mocks.phoneStep.touch).toHaveBeenCalledOnce();
  expect(mocks.prefetchPage).toHaveBeenCalledWith(true);
  expect(mocks.hydrateNow).not.toHaveBeenCalled();
  replay();
  expect(form.requestSubmit).not.toHaveBeenCalled();
});

it('first touch: React handles touches that a plain step cannot answer', async () => {
  const { answer, form, island, hooks, replay } = await open('phone-form');
  mocks.phoneStep.answer.mockReturnValue(null);
  await answer(island as never);
  expect(mocks.hydrateNow).toHaveBeenCalledExactlyOnceWith(island);
  expect(hooks.continued).not.toHaveBeenCalled();
  replay();
  expect(form.requestSubmit).toHaveBeenCalledOnce();
});

it('first touch: any other island is hydrated at once', async () => {
  const { answer, island } = await open('card-form');
  await answer(island as never);
  expect(mocks.hydrateNow).toHaveBeenCalledExactlyOnceWith(island);
});

it('first touch: a touch of the e-mail form loads the form’s plain step', async () => {
  const { answer, form, island } = await open('email-form');
  expect(mocks.loadEmailStep).not.toHaveBeenCalled();
  mocks.emailStep.answer.mockReturnValue(async () => {});
  await answer(island as never);
  expect(mocks.emailStep.answer).toHaveBeenCalledExactlyOnceWith(form, island);
});

it('first touch: history navigation and forms are answered', async () => {
  await open('card-form');
  expect([mocks.handleBack, mocks.interceptForms].map(({ mock }) => mock.calls.length)).toEqual([
    1, 1,
  ]);
});

it('first touch: a tap waits for tracking, for a second at most', async () => {
  vi.useFakeTimers();
  const { answer, island, early } = await open('phone-form', false);
  const go = vi.fn(async () => {});
  mocks.phoneStep.answer.mockReturnValue(go);
  const answered = answer(island as never);
  await vi.advanceTimersByTimeAsync(999);
  expect([mocks.phoneStep.touch.mock.calls.length, go.mock.calls.length]).toEqual([1, 0]);
  expect(early.outside).toContain('a[data-navigate]');
  await vi.advanceTimersByTimeAsync(1);
  await answered;
  expect(go).toHaveBeenCalledOnce();
});

it('first touch: until tracking is loaded, the document’s screen and each tap are remembered', async () => {
  const { early, fire } = await open('card-form');
  const { missed } = await import('../../../../islands/runtime/navigation/visit-hooks.ts');
  fire('click', { target: element('button', { type: 'button' }) });
  expect(missed).toHaveLength(2);
  expect(early.clicked).toEqual([]);
});

it('first touch: a tap on a link outside islands is replayed once links are handled', async () => {
  const { answer, fire, early } = await open('card-form');
  const click = vi.fn();
  const link = Object.assign(element('a', { 'data-navigate': true, href: '/terms' }), { click });
  await Promise.resolve();
  early.outside = 'a[data-navigate]';
  fire('click', { target: link });
  await answer(link as never);
  expect(click).toHaveBeenCalledOnce();
});

it.each([
  ['touched', true, 0],
  ['untouched', false, 1],
])('first touch: a page that is %s waits for React accordingly', async (_case, touched, times) => {
  const { startWhenSettled } = await open('phone-form');
  const startPage = vi.fn();
  mocks.loadShared.mockResolvedValue({ startPage });
  await startWhenSettled(touched);
  expect(startPage).toHaveBeenCalledOnce();
  expect(quiet.forgetTouches).toHaveBeenCalledTimes(times);
});

it('first touch: from now on, a chunk that cannot be loaded is reported to the visitor', async () => {
  await open('phone-form');
  const { failure } = await import('../../../../islands/runtime/hydration/load-chunk.ts');
  const { showChunkError } = await import('../../../../islands/runtime/hydration/chunk-error.ts');
  expect(failure.show).toBe(showChunkError);
});
