import { fillBoxes } from '../hydration/fill-boxes.ts';
import { unmount } from '../hydration/hydrate-island.ts';
import { pageData } from '../hydration/page-data.ts';
import { scheduleIslands } from '../hydration/scheduler.ts';
import { whenIdle } from '../hydration/when-idle.ts';
import { writeHandover } from '../storage/window-name-handover.ts';
import { trackScreen } from '../tracking/screen-events.ts';
import { adoptStyles } from './adopt-styles.ts';
import { announce } from './announce.ts';
import { depth, focusHeading, guard, replaceUrl } from './back-button.ts';
import { addressOf, takePage } from './fetch-page.ts';
import { nextFrame } from './next-frame.ts';
import { fontsFor } from './page-fonts.ts';
import { prefetchNext } from './prefetch.ts';

let current: Promise<void> | undefined;

/** Replaces this document with another. */
function replaceDocument(path: string): Promise<never> {
  writeHandover(depth());
  location.replace(addressOf(path));
  return new Promise(() => {});
}

/** Applies a page's CSS, language, direction, theme, fonts and title to this document. */
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

/** Fades a screen in; it is interactive from the first frame. */
function fadeIn(main: HTMLElement) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  main.animate({ opacity: [0, 1] }, { duration: 240, easing: 'ease-out' });
}

async function show(page: Document, main: HTMLElement, path: string) {
  const old = document.querySelector('main');
  if (!old) return;
  fillBoxes(main);
  // A hidden screen is not restyled when it loses focus.
  old.hidden = true;
  main.dataset.fresh = '';
  old.before(main);
  adoptDocument(page);
  fadeIn(main);
  focusHeading();
  old.remove();
  replaceUrl(addressOf(path === '/' ? `/${main.dataset.screen}` : path));
  await nextFrame();
  delete main.dataset.fresh;
  guard();
  unmount(old);
  announce(document.title);
  scheduleIslands(main, Promise.resolve());
  trackScreen();
  whenIdle().then(prefetchNext);
}

async function move(path: string): Promise<void> {
  const { kind, next, nextKind } = pageData();
  if (kind !== 'ordinary' || (path === next && nextKind === 'payment'))
    return replaceDocument(path);
  const page = await takePage(path);
  const main = page?.querySelector('main');
  if (!page || !main || main.dataset.kind !== 'ordinary') return replaceDocument(path);
  await show(page, main, path);
}

/**
 * Replaces the current screen: swaps ordinary screens, loads a new document into and out of
 * payment. Keeps the known query parameters and adds no history entry.
 *
 * @param path the flow's next screen when omitted; its first after the last
 * @returns resolves when the screen is shown; during another navigation, resolves with that one
 */
export function navigate(path: string = pageData().next ?? '/'): Promise<void> {
  current ??= move(path).finally(() => {
    current = undefined;
  });
  return current;
}
