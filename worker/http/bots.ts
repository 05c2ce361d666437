import { isProgram, isUnattended } from './rules/agents.ts';

/** Chrome sends `Sec-Purpose` (earlier `Purpose`), Firefox also `X-Moz`, Safari's previews `X-Purpose`. */
const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

const prefetches = new WeakMap<Request, boolean>();
/** Also previews and prerendered pages: nobody sees them yet. */
export function isPrefetch(request: Request): boolean {
  let known = prefetches.get(request);
  if (known === undefined) {
    const { headers } = request;
    known = purposes.some((name) => /prefetch|preview|prerender/i.test(headers.get(name) ?? ''));
    prefetches.set(request, known);
  }
  return known;
}

/** A request without Accept-Language counts as a bot: every browser sends it. */
export function isBot({ headers }: Request): boolean {
  return !headers.get('accept-language') || isProgram(headers.get('user-agent') ?? '');
}

/** Whether a page is loaded that nobody sees, or not yet: it sets no cookie. A form is never posted so. */
export function isUnseen(request: Request): boolean {
  if (isPrefetch(request)) return true;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && isUnattended(request.headers.get('user-agent') ?? '');
}
