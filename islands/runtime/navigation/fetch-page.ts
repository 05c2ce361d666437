import { documentOf } from '../hydration/trusted-types.ts';

const known =
  /^(fbclid|gclid|ttclid|utm_(source|medium|campaign|term|content)|skip_split|appDomain|custom_lng|theme)$/;
const maxLength = 512;

export function keptQuery(search: string): string {
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(search)) {
    if (known.test(name) && !kept.has(name)) kept.set(name, value.slice(0, maxLength));
  }
  const query = kept.toString();
  return query && `?${query}`;
}

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
