import { loadIsland } from '../hydration/chunks.ts';
import { pageData } from '../hydration/page-data.ts';
import { whenIdle } from '../hydration/triggers.ts';
import { loadStyles } from './adopt-styles.ts';
import { pageAt, prefetchPage, savesData } from './fetch-page.ts';
import { loadFonts } from './page-fonts.ts';
import { prerenderLayout } from './prerender-layout.ts';

function loadPictures(page: Document) {
  for (const picture of page.querySelectorAll('main :is(picture, :not(picture) > img)')) {
    document.importNode(picture, true);
  }
  for (const { href } of page.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=image]')) {
    new Image().src = href;
  }
}

export async function prefetchNext(): Promise<void> {
  const { kind, next, nextKind } = pageData();
  if (!next || savesData()) return;
  prefetchPage();
  const page = await pageAt(next);
  if (!page) return;
  loadPictures(page);
  const swaps = kind === 'ordinary' && nextKind === kind;
  if (swaps) loadStyles(page);
  loadFonts(page, () => swaps && whenIdle().then(() => prerenderLayout(page)));
  for (const island of page.querySelectorAll('main x-island')) {
    loadIsland(island).catch(() => {});
  }
}
