import type { Request } from 'playwright-core';
import { ownerOf } from '../../scripts/watch/compare.ts';
import { kindAt } from '../../scripts/watch/page-snapshot.ts';

/** Faults of a script request whose host is not in the inventory. */
export function unknownScripts(request: Request): string[] {
  if (request.resourceType() !== 'script' || request.frame().parentFrame()) return [];
  const { origin: own, hostname, pathname } = new URL(request.frame().url());
  if (hostname !== '127.0.0.1') return [];
  const kind = kindAt(pathname);
  if (ownerOf(request.url(), { kind, own })) return [];
  return [`a script that the inventory does not have for ${kind} pages: ${request.url()}`];
}
