import { pageData } from '../hydration/page-data.ts';
import { loadIsland } from '../hydration/scheduler.ts';
import { whenIdle } from '../hydration/triggers.ts';
import { rulesFor } from '../hydration/trusted-types.ts';
import { loadStyles } from './adopt-styles.ts';
import { addressOf, pageAt } from './fetch-page.ts';
import { loadFonts } from './page-fonts.ts';
import { prerenderLayout } from './prerender-layout.ts';

const saves = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData;

function speculate(address: string) {
  // Firefox, which lacks these rules, refuses a prefetch link by `default-src`.
  if (HTMLScriptElement.supports?.('speculationrules')) document.head.append(rulesFor(address));
}

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
  if (!next || saves()) return;
  if (kind !== 'payment' && nextKind === 'payment') speculate(addressOf(next));
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
