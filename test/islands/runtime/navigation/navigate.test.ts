import { beforeEach, expect, it, vi } from 'vitest';
import { pollTimeout } from '../../../poll-timeout.ts';
import { documentWith, element, openPage } from '../../dom.ts';

const mocks = vi.hoisted(() => ({
  takePage: vi.fn(),
  addressOf: (path: string) => `${path}?gclid=1`,
  prefetchPage: vi.fn(),
  savesData: vi.fn(() => false),
  startScreen: vi.fn(),
  loadShared: async (): Promise<unknown> => mocks,
  forgetTouches: vi.fn(),
  whenQuiet: async () => {},
  loadEmailStep: vi.fn(async () => {}),
  writeHandover: vi.fn(),
}));
const on = { leaving: vi.fn(), unloading: vi.fn(), shown: vi.fn(), removed: vi.fn() };
vi.mock('../../../../islands/runtime/navigation/fetch-page.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/chunks.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/request-page.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/when-quiet.ts', () => mocks);
vi.mock('../../../../islands/runtime/storage/handover.ts', () => mocks);

const ordinary = { 'data-kind': 'ordinary', 'data-screen': 'intro', 'data-next': '/signup' };

const styleOf = (textContent: string) =>
  Object.assign(element('style', { 'data-css': '' }), { textContent, media: '' });

/** A prefetched screen. */
function screen(attributes: Record<string, string> = {}) {
  const heading = Object.assign(element('h1'), { focus: vi.fn() });
  const main = element(
    'main',
    { 'data-kind': 'ordinary', 'data-screen': 'signup', ...attributes },
    heading,
  );
  const main_ = Object.assign(main, { animate: vi.fn() });
  const style = styleOf('.signup{margin:0}');
  const root = { lang: 'ar', dir: 'rtl', 'data-theme': 'gz', 'data-fonts': 'Cairo' };
  const page = documentWith(main_, root, style);
  Object.assign(page.documentElement, { lang: 'ar', dir: 'rtl' });
  page.title = 'Sign up';
  return { page, main: main_, heading };
}

async function open(data: Record<string, string> = ordinary, reduced = false) {
  const old = element('main', data);
  const own = documentWith(old, {}, styleOf('.intro{margin:0}'));
  const page = openPage(own, 'https://a.example/intro?gclid=1');
  Object.assign(page.document.documentElement, { lang: 'en', dir: 'ltr' });
  page.history.state = { depth: 2 };
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }));
  vi.stubGlobal('requestAnimationFrame', (job: () => void) => job());
  const { navigate } = await import('../../../../islands/runtime/navigation/navigate.ts');
  const { navigationHooks: hooks } = await import(
    '../../../../islands/runtime/navigation/visit-hooks.ts'
  );
  Object.assign(hooks, on);
  return { ...page, old, navigate };
}

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
});
it('navigate: swaps in the next ordinary screen', async () => {
  const { document, old, navigate, history } = await open();
  const next = screen();
  const kept = element('span', { 'data-fill': 'signup.email' });
  next.main.append(kept);
  const { $signup } = await import('../../../../islands/stores/signup.ts');
  $signup.setKey('email', 'ann@example.com');
  mocks.takePage.mockResolvedValue(next.page);
  await navigate();
  expect(mocks.takePage).toHaveBeenCalledExactlyOnceWith('/signup');
  expect(kept.textContent).toBe('ann@example.com');
  expect(document.querySelectorAll('main')).toEqual([next.main]);
  expect(document.title).toBe('Sign up');
  expect(document.documentElement).toMatchObject({ lang: 'ar', dir: 'rtl' });
  expect(document.documentElement.dataset.theme).toBe('gz');
  expect(document.documentElement.dataset.fonts).toBeUndefined();
  const sheets = document.head.children.map(({ textContent, media }) => [textContent, media]);
  expect(sheets).toEqual([
    ['.intro{margin:0}', 'none'],
    ['.signup{margin:0}', ''],
  ]);
  expect(next.main.animate).toHaveBeenCalledExactlyOnceWith(
    { opacity: [0, 1] },
    { duration: 240, easing: 'ease-out' },
  );
  expect(next.heading.focus).toHaveBeenCalledOnce();
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, left: 0, behavior: 'instant' });
  expect(history.replaceState).toHaveBeenCalledWith(
    { depth: 2, guard: undefined },
    '',
    '/signup?gclid=1',
  );
  expect(history.pushState).toHaveBeenCalledWith({ depth: 3, guard: true }, '');
  expect(old.hidden).toBe(true);
  expect(next.main.matches('[data-fresh]')).toBe(false);
  expect(on.removed).toHaveBeenCalledExactlyOnceWith(old);
  expect(document.querySelector('#announcer')?.textContent).toBe('Sign up');
  expect(on.leaving).toHaveBeenCalledBefore(on.shown);
  expect(on.shown).toHaveBeenCalledOnce();
  expect(mocks.loadEmailStep).not.toHaveBeenCalled();
  expect(mocks.writeHandover).not.toHaveBeenCalled();
  expect(mocks.forgetTouches).toHaveBeenCalledOnce();
  expect(mocks.prefetchPage).toHaveBeenCalledOnce();
  await vi.waitFor(
    () => expect(mocks.startScreen).toHaveBeenCalledExactlyOnceWith(next.main),
    pollTimeout,
  );
});

it('navigate: the old screen stays hidden for a second frame, which a tap on the new one may use', async () => {
  const { document, old, navigate } = await open();
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (job: () => void) => frames.push(job));
  const next = screen();
  mocks.takePage.mockResolvedValue(next.page);
  const shown = navigate();
  const paint = async () => {
    await vi.waitFor(() => expect(frames).toHaveLength(1), pollTimeout);
    frames.shift()?.();
  };
  await paint();
  await vi.waitFor(() => expect(frames).toHaveLength(1), pollTimeout);
  expect(document.querySelectorAll('main')).toEqual([next.main, old]);
  await paint();
  await shown;
  expect(document.querySelectorAll('main')).toEqual([next.main]);
});

it('navigate: a screen with the e-mail form loads its plain step', async () => {
  const { navigate } = await open();
  const next = screen();
  next.main.append(element('x-island', { name: 'email-form' }));
  mocks.takePage.mockResolvedValue(next.page);
  await navigate();
  expect(mocks.loadEmailStep).toHaveBeenCalledOnce();
});

it('navigate: `/` gets the URL of its screen; without a next screen it is the target', async () => {
  const { navigate, history } = await open({ 'data-kind': 'ordinary' });
  mocks.takePage.mockResolvedValue(screen().page);
  await navigate();
  expect(mocks.takePage).toHaveBeenCalledWith('/');
  expect(history.replaceState).toHaveBeenCalledWith(expect.anything(), '', '/signup?gclid=1');
});

it('navigate: does not animate when motion is reduced, and keeps the language’s attributes', async () => {
  const { navigate } = await open(ordinary, true);
  const next = screen();
  mocks.takePage.mockResolvedValue(next.page);
  await navigate();
  expect(next.main.animate).not.toHaveBeenCalled();
});

it('navigate: a screen in another language of the same direction sets the document’s language', async () => {
  const { navigate, document } = await open();
  const { page } = screen();
  Object.assign(page.documentElement, { lang: 'de', dir: 'ltr' });
  mocks.takePage.mockResolvedValue(page);
  await navigate();
  expect(document.documentElement).toMatchObject({ lang: 'de', dir: 'ltr' });
});

it('navigate: with data saving on, a new screen prefetches nothing', async () => {
  const { navigate } = await open();
  mocks.savesData.mockReturnValueOnce(true);
  mocks.takePage.mockResolvedValue(screen().page);
  await navigate();
  expect(mocks.prefetchPage).not.toHaveBeenCalled();
});

it('navigate: runs one navigation at a time, and accepts another afterwards', async () => {
  const { navigate } = await open();
  mocks.takePage.mockResolvedValue(screen().page);
  const first = navigate();
  expect(navigate('/other')).toBe(first);
  await first;
  mocks.takePage.mockResolvedValue(screen().page);
  await navigate('/other');
  expect(mocks.takePage.mock.calls).toEqual([['/signup'], ['/other']]);
});

it('navigate: a tap on a screen that is still appearing is handled afterwards', async () => {
  const { navigate, document } = await open();
  const signup = screen({ 'data-next': '/features' });
  const features = screen({ 'data-screen': 'features' });
  mocks.takePage.mockResolvedValueOnce(signup.page).mockResolvedValueOnce(features.page);
  const first = navigate();
  await vi.waitFor(() => expect(document.querySelector('main')).toBe(signup.main), pollTimeout);
  const second = navigate();
  expect(second).not.toBe(first);
  expect(navigate()).toBe(second);
  await second;
  expect(mocks.takePage.mock.calls).toEqual([['/signup'], ['/features']]);
  expect(document.querySelectorAll('main')).toEqual([features.main]);
  await expect(first).resolves.toBeUndefined();
});

it.each([
  ['from a payment screen', { ...ordinary, 'data-kind': 'payment' }, '/signup', 0],
  ['into the payment screen', { ...ordinary, 'data-next-kind': 'payment' }, '/signup', 0],
  ['to a page that cannot be swapped in', ordinary, '/signup', 1],
])('navigate: %s a new document is loaded', async (_, data, path, fetches) => {
  const { navigate, location } = await open(data);
  mocks.takePage.mockResolvedValue(null);
  void navigate(path);
  await vi.waitFor(
    () => expect(location.replace).toHaveBeenCalledWith(`${path}?gclid=1`),
    pollTimeout,
  );
  expect(on.unloading).toHaveBeenCalledOnce();
  expect(mocks.writeHandover).toHaveBeenCalledExactlyOnceWith(2);
  expect(mocks.takePage).toHaveBeenCalledTimes(fetches);
});

it('navigate: beside the payment screen, other screens are swapped in', async () => {
  const { navigate, location } = await open({ ...ordinary, 'data-next-kind': 'payment' });
  mocks.takePage.mockResolvedValue(screen().page);
  await navigate('/terms');
  expect(location.replace).not.toHaveBeenCalled();
});

it('navigate: a page of another kind is loaded as a document', async () => {
  const { navigate, location, document, old } = await open();
  mocks.takePage.mockResolvedValue(screen({ 'data-kind': 'payment' }).page);
  void navigate();
  await vi.waitFor(() => expect(location.replace).toHaveBeenCalledOnce(), pollTimeout);
  expect(document.querySelector('main')).toBe(old);
});
