import { loadEmailStep, loadShared } from '../hydration/chunks.ts';
import { pageData } from '../hydration/page-data.ts';
import { addressOf } from '../hydration/request-page.ts';
import { showStoredState } from '../hydration/show-stored-state.ts';
import { forgetTouches, whenQuiet } from '../hydration/when-quiet.ts';
import { adoptStyles } from './adopt-styles.ts';
import { announce } from './announce.ts';
import { focusHeading, guard, handOver, replaceUrl, scrollToTop } from './back-button.ts';
import { prefetchPage, savesData, takePage } from './fetch-page.ts';
import { nextFrame } from './next-frame.ts';
import { fontsFor } from './page-fonts.ts';
import { navigationHooks } from './visit-hooks.ts';

/** The last navigation, and the screen that it left. */
let current = Promise.resolve();
let leftScreen: Element | null = null;

function replaceDocument(path: string, hash: string): Promise<never> {
  navigationHooks.unloading();
  handOver();
  location.replace(addressOf(path) + hash);
  return new Promise(() => {});
}

function adoptDocument(page: Document) {
  adoptStyles(page);
  const root = document.documentElement;
  const { lang, dir, dataset } = page.documentElement;
  // Setting them again would restyle every element.
  if (root.lang !== lang || root.dir !== dir) Object.assign(root, { lang, dir });
  const { fonts: _fonts, ...looks } = dataset;
  const fonts = fontsFor(page);
  Object.assign(root.dataset, looks, fonts ? { fonts } : {});
  document.title = page.title;
}

function fadeIn(main: HTMLElement) {
  if (globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches) return;
  main.animate?.({ opacity: [0, 1] }, { duration: 240, easing: 'ease-out' });
}

async function show(page: Document, main: HTMLElement, path: string) {
  const old = document.querySelector('main');
  if (!old) return;
  showStoredState(main);
  // If called later, it would lay out the screen within this task.
  scrollToTop();
  // Removing it would force layout, because it has the focus.
  old.hidden = true;
  main.dataset.fresh = '';
  old.before(main);
  adoptDocument(page);
  fadeIn(main);
  await nextFrame();
  const shownAt = performance.now();
  // Waits for the work after the frame, and for a tap on the new screen.
  await nextFrame();
  old.remove();
  navigationHooks.shown(shownAt);
  if (!document.activeElement?.closest('main')) focusHeading();
  // Delayed, because changing the history takes the browser up to 20 ms.
  replaceUrl(addressOf(path === '/' ? `/${main.dataset.screen}` : path));
  delete main.dataset.fresh;
  guard();
  navigationHooks.removed(old);
  announce(document.title);
  forgetTouches();
  if (!savesData()) prefetchPage();
  // Chunks that fail are reported where they are loaded.
  if (main.querySelector('[name=email-form]')) loadEmailStep().catch(() => {});
  whenQuiet()
    .then(() => loadShared())
    .then(({ startScreen }) => startScreen(main))
    .catch(() => {});
}

async function move(path: string, hash: string): Promise<void> {
  navigationHooks.leaving();
  const { kind, next, nextKind } = pageData();
  const isDocument = kind !== 'ordinary' || (path === next && nextKind === 'payment');
  const page = isDocument ? null : await takePage(path);
  const main = page?.querySelector('main');
  if (!page || main?.dataset.kind !== 'ordinary') return replaceDocument(path, hash);
  await show(page, main, path);
}

/** @param hash the part of a new document to begin at */
export function navigate(path: string = pageData().next ?? '/', hash = ''): Promise<void> {
  const main = document.querySelector('main');
  // A tap on a screen that is just appearing is not a repetition of the tap that led to it.
  if (leftScreen !== main) {
    leftScreen = main;
    current = current
      .then(() => move(path, hash))
      .catch(() => {
        leftScreen = null;
      });
  }
  return current;
}
