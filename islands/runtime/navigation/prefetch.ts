import { loadIsland } from '../hydration/chunks.ts';
import { pageData } from '../hydration/page-data.ts';
import { whenIdle } from '../hydration/triggers.ts';
import { pageAt, prefetchPage, savesData } from './fetch-page.ts';
import { layOutNextScreen } from './lay-out-next-screen.ts';
import { loadFonts } from './page-fonts.ts';
import { prerenderNext } from './prerender-page.ts';

function loadPictures(page: Document) {
  for (const picture of page.querySelectorAll('main :is(picture, :not(picture) > img)')) {
    document.importNode(picture, true);
  }
  for (const { href } of page.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=image]')) {
    new Image().src = href;
  }
}

export async function prefetchNext(): Promise<void> {
  const { kind, next, nextKind, screen, checkout } = pageData();
  if (!next || savesData()) return;
  // The document after a purchase is prefetched at the purchase; it may reuse the copy fetched below for a minute.
  if (`/${screen}` !== checkout) {
    prefetchPage();
    prerenderNext();
  }
  const page = await pageAt(next);
  if (!page) return;
  loadPictures(page);
  const swaps = kind === 'ordinary' && nextKind === kind;
  loadFonts(page, () => swaps && whenIdle().then(() => layOutNextScreen(page)));
  for (const island of page.querySelectorAll('main x-island')) {
    loadIsland(island).catch(() => {}); // Loaded again, and reported, when it is needed.
  }
}
