import { inventory } from '../../worker/http/script-inventory.ts';
import type { Directive, ThirdParty } from '../../worker/http/third-party.ts';
import type { PageKind } from '../../worker/page-types.ts';

/** Where our own scripts lie, under names that hold their hash. */
const ownScripts = /^\/static\//;

/** Whether a source of a policy admits an address, as browsers read it. */
function admits(source: string, { origin, hostname, pathname }: URL, own: string): boolean {
  if (source === "'self'") return origin === own && ownScripts.test(pathname);
  const named = URL.parse(source.replace('*.', ''));
  if (!named || !origin.startsWith('https:')) return false;
  const isHost = source.includes('*.')
    ? hostname.endsWith(`.${named.hostname}`)
    : hostname === named.hostname;
  const path = named.pathname;
  return isHost && (path.endsWith('/') ? pathname.startsWith(path) : pathname === path);
}

/**
 * Who in the inventory an address belongs to, on a kind of page.
 *
 * @param own origin of the page
 * @returns undefined when it is nobody's
 */
export function ownerOf(
  address: string,
  { kind, own, directive = 'script-src' }: { kind: PageKind; own: string; directive?: Directive },
): ThirdParty | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  return inventory.find(
    ({ kinds, sources }) =>
      kinds.includes(kind) && sources[directive]?.some((source) => admits(source, url, own)),
  );
}
