import { pageData } from '../hydration/page-data.ts';
import { addressOf, takeResponse } from '../hydration/request-page.ts';
import { documentOf, rulesFor } from '../hydration/trusted-types.ts';
import { loadStyles } from './adopt-styles.ts';

export const savesData = (): boolean =>
  Boolean((navigator as { connection?: { saveData?: boolean } }).connection?.saveData);

let speculated = false;

function addPrefetchRule(address: string): void {
  // Firefox has no such rules, and refuses a prefetch link because of `default-src`.
  if (speculated || !HTMLScriptElement.supports?.('speculationrules')) return;
  speculated = true;
  document.head.append(rulesFor('prefetch', address));
}

const fetched = new Map<string, Promise<Document | null>>();

const build = (page: Document) => page.documentElement.dataset.build;

async function fetchPage(path: string): Promise<Document | null> {
  try {
    const headers = { 'x-purpose': 'prefetch' };
    const response = await (takeResponse(path) ?? fetch(addressOf(path), { headers }));
    if (!response.ok) return null;
    const page = documentOf(await response.text());
    return page.querySelector('main') && build(page) === build(document) ? page : null;
  } catch {
    return null; // The browser then loads the page itself.
  }
}

/** A screen's document, fetched once; null when it cannot be swapped in. */
export function pageAt(path: string): Promise<Document | null> {
  const page = fetched.get(path) ?? fetchPage(path);
  fetched.set(path, page);
  return page;
}

/** The screen after this one that can be swapped in. */
const swappedAfter = ({ kind, next, nextKind }: DOMStringMap) =>
  kind === 'ordinary' && nextKind === kind ? next : undefined;

async function prepare(path: string, further: boolean): Promise<void> {
  const page = await pageAt(path);
  if (!page) return;
  loadStyles(page);
  const after = further && swappedAfter(page.querySelector('main')?.dataset ?? {});
  if (after) void pageAt(after);
}

/** The browser prefetches a separate document. @param further also requests the screen after it */
export function prefetchPage(further = false): void {
  const { next } = pageData();
  if (!next) return;
  const swapped = swappedAfter(pageData());
  if (swapped) void prepare(swapped, further);
  else addPrefetchRule(addressOf(next));
}

export function takePage(path: string): Promise<Document | null> {
  const page = pageAt(path);
  fetched.delete(path);
  return page;
}
