import { documentOf } from '../hydration/trusted-types.ts';
import { keptQuery } from './kept-query.ts';

const fetched = new Map<string, Promise<Document | null>>();

const build = (page: Document) => page.documentElement.dataset.build;

export const addressOf = (path: string): string => path + keptQuery(location.search);

async function fetchPage(path: string): Promise<Document | null> {
  try {
    const response = await fetch(addressOf(path), { headers: { 'x-purpose': 'prefetch' } });
    if (!response.ok) return null;
    const page = documentOf(await response.text());
    return page.querySelector('main') && build(page) === build(document) ? page : null;
  } catch {
    return null;
  }
}

/** A screen's document, fetched once; null when it cannot be swapped in. */
export function pageAt(path: string): Promise<Document | null> {
  const page = fetched.get(path) ?? fetchPage(path);
  fetched.set(path, page);
  return page;
}

export function takePage(path: string): Promise<Document | null> {
  const page = pageAt(path);
  fetched.delete(path);
  return page;
}
