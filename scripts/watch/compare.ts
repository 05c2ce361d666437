import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Directive, ThirdParty } from '../../worker/http/ad-network-hosts.ts';
import type { PageKind, PixelSettings } from '../../worker/http/page-kind.ts';
import { inventory } from '../../worker/http/script-inventory.ts';
import {
  contentSecurityPolicy,
  pageHeaders,
  securityHeaders,
} from '../../worker/http/security-headers.ts';
import type { PageSnapshot } from './page-snapshot.ts';

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

/** The owner of a URL in the inventory, on a kind of page. @param own origin of the page */
export function ownerOf(
  address: string,
  { kind, own, directive = 'script-src' }: { kind: PageKind; own: string; directive?: Directive },
): ThirdParty | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  return inventory.find(
    ({ kinds, sources }) =>
      kinds.includes(kind) && sources[directive]?.some((source) => allows(source, url, own)),
  );
}

export interface Difference {
  what: string;
  expected: string;
  found: string;
}

/** Headers that could be used against visitors; our pages do not send them. */
const unwanted = [
  'refresh',
  'link',
  'access-control-allow-origin',
  'speculation-rules',
  'sourcemap',
];

/** The networks that a live policy allows, which depend on the deployment. */
function networksIn(policy: string): PixelSettings {
  const used = inventory.filter(
    ({ network, sources }) => network && policy.includes(sources['script-src']?.[0] ?? '?'),
  );
  const settings = Object.fromEntries(used.map(({ network }) => [network, '1']));
  return { vendors: '', suffix: '', ...settings };
}

function headersFor(kind: PageKind, policy: string): Record<string, string> {
  const networks = networksIn(policy);
  // `npm start` serves the vendors' fakes on its own origin.
  const fakes = policy === contentSecurityPolicy(kind, true, networks);
  const { 'cache-control': _, ...all } = securityHeaders;
  return { ...all, ...pageHeaders(kind, fakes, networks) };
}

const headerDifferences = ({ headers, kind }: PageSnapshot): Difference[] => {
  const policy = headers.get('content-security-policy') ?? '';
  const wrong = Object.entries(headersFor(kind, policy)).map(([name, expected]) => ({
    what: name,
    expected,
    found: headers.get(name) ?? 'nothing',
  }));
  const more = unwanted.map((what) => ({
    what,
    expected: 'nothing',
    found: headers.get(what) ?? 'nothing',
  }));
  const kept = headers.get('cache-control') ?? 'nothing';
  const cache = /\b(private|no-store)\b/.test(kept)
    ? []
    : [{ what: 'cache-control', expected: 'private or no-store', found: kept }];
  return [...[...wrong, ...more].filter(({ expected, found }) => expected !== found), ...cache];
};

export interface Opened {
  scripts: readonly string[];
  frames: readonly string[];
}

const local = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

const vendorUrl = (address: string, own: string) =>
  local.test(own) ? address.replace(`${own}/fakes/`, 'https://') : address;

export function urlsOf(seen: PageSnapshot, opened: Opened) {
  const own = new URL(seen.url).origin;
  const found = (directive: Directive, addresses: readonly string[]) =>
    [...new Set(addresses)].map((address) => ({
      address,
      directive,
      who: ownerOf(vendorUrl(address, own), { kind: seen.kind, own, directive })?.who,
    }));
  return [
    ...found('script-src', [...seen.named, ...opened.scripts]),
    ...found('frame-src', [...seen.frames, ...opened.frames]),
  ];
}

export function differencesOf(seen: PageSnapshot, opened: Opened): Difference[] {
  const unknown = urlsOf(seen, opened)
    .filter(({ who }) => who === undefined)
    .map(({ directive, address }) => ({
      what: directive === 'frame-src' ? 'frame' : 'script',
      expected: 'an entry of the inventory',
      found: address,
    }));
  const inline = seen.inline.map((tag) => ({
    what: 'script',
    expected: 'no inline script',
    found: `<script${tag}>`,
  }));
  const { kind, claimed } = seen;
  const kinds = kind === claimed ? [] : [{ what: 'data-kind', expected: kind, found: claimed }];
  return [...kinds, ...headerDifferences(seen), ...unknown, ...inline];
}

/** Compares byte by byte. @returns null without a build */
export async function ownDifferences(
  addresses: readonly string[],
  folder: string,
  send: typeof fetch,
): Promise<Difference[] | null> {
  if (!existsSync(join(folder, 'static'))) return null;
  const compared = addresses.map(async (address): Promise<Difference[]> => {
    const file = join(folder, new URL(address).pathname);
    const different = (expected: string, found: string) => [{ what: 'script', expected, found }];
    if (!existsSync(file)) return different('a file of this build', address);
    const response = await send(address);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.ok && bytes.equals(readFileSync(file))) return [];
    return different('the bytes of this build', address);
  });
  return (await Promise.all(compared)).flat();
}
