import type { Request } from 'playwright-core';
import { isScreenId } from '../../worker/experiments/rules/flows.ts';
import type { PageKind } from '../../worker/http/page-kind.ts';
import { inventory } from '../../worker/http/script-inventory.ts';
import { pageKind } from '../../worker/rendering/page-types.ts';

function kindAt(path: string): PageKind {
  const id = path.slice(1);
  if (id === 'i') return 'private';
  if (id === 'manage/card') return 'payment';
  return pageKind(isScreenId(id) ? id : '');
}

/** Our own scripts have their hash in their name. */
const ownScripts = /^\/static\//;

function allows(source: string, { origin, hostname, pathname }: URL, own: string): boolean {
  if (source === "'self'") return origin === own && ownScripts.test(pathname);
  const named = URL.parse(source.replace('*.', ''));
  if (!named || !origin.startsWith('https:')) return false;
  const isHost = source.includes('*.')
    ? hostname.endsWith(`.${named.hostname}`)
    : hostname === named.hostname;
  const path = named.pathname;
  return isHost && (path.endsWith('/') ? pathname.startsWith(path) : pathname === path);
}

/** Faults of a script request whose host is not in the inventory. */
export function unknownScripts(request: Request): string[] {
  if (request.resourceType() !== 'script' || request.frame().parentFrame()) return [];
  const { origin: own, hostname, pathname } = new URL(request.frame().url());
  if (hostname !== '127.0.0.1') return [];
  const kind = kindAt(pathname);
  const url = new URL(request.url());
  const isKnown = inventory.some(
    ({ kinds, sources }) =>
      kinds.includes(kind) && sources['script-src']?.some((source) => allows(source, url, own)),
  );
  if (isKnown) return [];
  return [`a script that the inventory does not have for ${kind} pages: ${url}`];
}
