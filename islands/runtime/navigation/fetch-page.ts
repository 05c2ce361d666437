import { documentOf } from '../hydration/trusted-types.ts';
import { keptQuery } from './kept-query.ts';

const fetched = new Map<string, Promise<Document | null>>();

/** Other code of the same name can only come with a document of its own. */
const build = (page: Document) => page.documentElement.dataset.build;

/** A screen's path with the part of the query that travels. */
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

/** A screen's document, fetched once until it is taken; null when it can not be shown in ours. */
export function pageAt(path: string): Promise<Document | null> {
  const page = fetched.get(path) ?? fetchPage(path);
  fetched.set(path, page);
  return page;
}

/** The same, for use: its nodes may be moved, and the next call fetches anew. */
export function takePage(path: string): Promise<Document | null> {
  const page = pageAt(path);
  fetched.delete(path);
  return page;
}
