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

let moving: Promise<void> | undefined;

/** Opens a screen as a document of its own, in the place of this one. */
function leave(path: string): Promise<never> {
  writeHandover(depth());
  location.replace(addressOf(path));
  return new Promise(() => {});
}

/** Takes over what a screen's HTML asks of the document: its CSS, language, direction, theme, font, title. */
function dress(page: Document) {
  adoptStyles(page);
  const root = document.documentElement;
  const { lang, dir, dataset } = page.documentElement;
  // Said again, they would have every element dressed anew.
  if (root.lang !== lang || root.dir !== dir) Object.assign(root, { lang, dir });
  const { fonts: _fonts, ...looks } = dataset;
  const fonts = fontsFor(page);
  Object.assign(root.dataset, looks, fonts ? { fonts } : {});
  document.title = page.title;
}

/** Fades a screen in; it is there and answers from the first frame. */
function enter(main: HTMLElement) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  main.animate({ opacity: [0, 1] }, { duration: 240, easing: 'ease-out' });
}

async function show(page: Document, main: HTMLElement, path: string) {
  const old = document.querySelector('main');
  if (!old) return;
  fillBoxes(main);
  // Not displayed, the old screen need not be dressed anew as it loses the focus.
  old.hidden = true;
  main.dataset.fresh = '';
  old.before(main);
  dress(page);
  enter(main);
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
  if (kind !== 'ordinary' || (path === next && nextKind === 'payment')) return leave(path);
  const page = await takePage(path);
  const main = page?.querySelector('main');
  if (!page || !main || main.dataset.kind !== 'ordinary') return leave(path);
  await show(page, main, path);
}

/**
 * Shows another screen in the place of this one: swapped in between ordinary screens, a fresh
 * document into and out of payment. The query string's known part is kept, no history entry added.
 *
 * @param path the screen's path; the flow's next screen when left out, its first on the last screen
 * @returns when the screen is shown; a call during another move waits for that one instead
 */
export function navigate(path: string = pageData().next ?? '/'): Promise<void> {
  moving ??= move(path).finally(() => {
    moving = undefined;
  });
  return moving;
}
