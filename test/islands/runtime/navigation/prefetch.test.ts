import { beforeEach, expect, it, vi } from 'vitest';
import { pollTimeout } from '../../../poll-timeout.ts';
import { documentWith, element, openPage } from '../../dom.ts';

const mocks = vi.hoisted(() => ({
  pageAt: vi.fn(),
  addressOf: (path: string) => `${path}?gclid=1`,
  loadIsland: vi.fn(async () => {}),
  layOutNextScreen: vi.fn(),
  prefetchPage: vi.fn(),
  savesData: () => Boolean((navigator as { connection?: object }).connection),
  whenIdle: async () => {},
}));
vi.mock('../../../../islands/runtime/navigation/fetch-page.ts', () => mocks);
vi.mock('../../../../islands/runtime/navigation/lay-out-next-screen.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/chunks.ts', () => mocks);
vi.mock('../../../../islands/runtime/hydration/triggers.ts', () => mocks);

const ordinary = {
  'data-kind': 'ordinary',
  'data-next': '/signup',
  'data-next-kind': 'ordinary',
};

/** The next screen's document, with an island, pictures and a font script. */
function nextPage() {
  const island = element('x-island', { name: 'email-form' });
  const picture = element('picture', {}, element('img'));
  const preload = Object.assign(element('link', { rel: 'preload', as: 'image' }), {
    href: '/images/a.svg',
  });
  const faces = Object.assign(element('script', { 'data-faces': '' }), { src: '/faces.js' });
  const main = element('main', {}, picture, island);
  return { page: documentWith(main, {}, preload, faces), island, picture };
}

async function open(data: Record<string, string>, { saveData = false } = {}) {
  const page = openPage(documentWith(element('main', data)));
  const images: string[] = [];
  Object.assign(page.document, { importNode: vi.fn() });
  vi.stubGlobal('navigator', saveData ? { connection: { saveData } } : {});
  vi.stubGlobal(
    'Image',
    class {
      set src(address: string) {
        images.push(address);
      }
    },
  );
  const { prefetchNext } = await import('../../../../islands/runtime/navigation/prefetch.ts');
  return { ...page, images, prefetchNext };
}

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
});
it('prefetch: loads the next screen with pictures, fonts and islands', async () => {
  const { document, images, prefetchNext } = await open(ordinary);
  const next = nextPage();
  mocks.pageAt.mockResolvedValue(next.page);
  await prefetchNext();
  expect(mocks.pageAt).toHaveBeenCalledExactlyOnceWith('/signup');
  expect(images).toEqual(['/images/a.svg']);
  expect(document).toHaveProperty('importNode.mock.calls', [[next.picture, true]]);
  expect(mocks.loadIsland).toHaveBeenCalledExactlyOnceWith(next.island);
  expect(mocks.prefetchPage).toHaveBeenCalledOnce();
  const script = document.head.querySelector('script');
  expect([script?.src, script?.dataset.faces]).toEqual(['/faces.js', 'coming']);
  expect(mocks.layOutNextScreen).not.toHaveBeenCalled();
  (script as unknown as { onload: () => void }).onload();
  expect(script?.dataset.faces).toBe('');
  await vi.waitFor(
    () => expect(mocks.layOutNextScreen).toHaveBeenCalledExactlyOnceWith(next.page),
    pollTimeout,
  );
});

it('prefetch: present fonts are not added again', async () => {
  const { document, prefetchNext } = await open(ordinary);
  const here = [element('script', { 'data-faces': '' })];
  document.head.append(...here);
  mocks.pageAt.mockResolvedValue(nextPage().page);
  await prefetchNext();
  expect(document.head.children).toEqual(here);
  await vi.waitFor(() => expect(mocks.layOutNextScreen).toHaveBeenCalledOnce(), pollTimeout);
});

it('prefetch: a failed island or page is not an error', async () => {
  const { prefetchNext } = await open(ordinary);
  mocks.loadIsland.mockRejectedValueOnce(null);
  mocks.pageAt.mockResolvedValueOnce(nextPage().page).mockResolvedValueOnce(null);
  await prefetchNext();
  await prefetchNext();
});

const toPayment = { ...ordinary, 'data-next-kind': 'payment' };

it.each([
  ['the last screen', { 'data-kind': 'ordinary' }, false],
  ['a visitor who saves data', ordinary, true],
  ['a visitor who saves data before the checkout', toPayment, true],
])('prefetch: nothing is prefetched for %s', async (_, data, saveData) => {
  const { document, prefetchNext } = await open(data, { saveData });
  await prefetchNext();
  expect(mocks.pageAt).not.toHaveBeenCalled();
  expect(mocks.loadIsland).not.toHaveBeenCalled();
  expect(mocks.prefetchPage).not.toHaveBeenCalled();
  expect(document.head.children).toEqual([]);
});

it('prefetch: everything of the payment document except its layout', async () => {
  const { document, prefetchNext } = await open(toPayment);
  mocks.pageAt.mockResolvedValue(nextPage().page);
  await prefetchNext();
  expect(mocks.prefetchPage).toHaveBeenCalledOnce();
  const script = document.head.querySelector('script[data-faces]') ?? { onload: null };
  (script.onload as () => void)();
  expect(mocks.layOutNextScreen).not.toHaveBeenCalled();
});

it.each([
  ['is not requested before a purchase', 'pay', 0],
  ['of the offer after it is', 'upsell', 1],
])('prefetch: on a payment screen, the next document %s', async (_, screen, times) => {
  const { prefetchNext } = await open({
    ...toPayment,
    'data-kind': 'payment',
    'data-screen': screen,
    'data-checkout': '/pay',
  });
  mocks.pageAt.mockResolvedValue(nextPage().page);
  await prefetchNext();
  expect(mocks.prefetchPage).toHaveBeenCalledTimes(times);
  expect(mocks.loadIsland).toHaveBeenCalledOnce();
});

it('fonts: a page’s fonts apply once they are loaded here', async () => {
  const { document } = await open(ordinary);
  const { fontsFor } = await import('../../../../islands/runtime/navigation/page-fonts.ts');
  const coming = documentWith(element('main'), { 'data-fonts': 'Inter' }) as never;
  expect(fontsFor(coming)).toBeUndefined();
  const script = element('script', { 'data-faces': 'coming' });
  document.head.append(script);
  expect(fontsFor(coming)).toBeUndefined();
  script.dataset.faces = '';
  expect(fontsFor(coming)).toBe('Inter');
  document.documentElement.dataset.fonts = 'Cairo';
  expect(fontsFor(documentWith(element('main')) as never)).toBe('Cairo');
});
