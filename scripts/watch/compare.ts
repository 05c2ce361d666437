import { inventory } from '../../worker/http/script-inventory.ts';
import {
  contentSecurityPolicy,
  pageHeaders,
  securityHeaders,
} from '../../worker/http/security-headers.ts';
import type { Directive } from '../../worker/http/third-party.ts';
import type { PageKind, PixelSettings } from '../../worker/page-types.ts';
import type { PageSnapshot } from './page-snapshot.ts';
import { ownerOf } from './script-owner.ts';

/** One thing that is not as the inventory and the policies say. */
export interface Difference {
  what: string;
  expected: string;
  found: string;
}

/** Headers by which a page could be turned against its reader; ours have none. */
const unwanted = [
  'refresh',
  'link',
  'access-control-allow-origin',
  'speculation-rules',
  'sourcemap',
];

/** The networks that a live policy admits: which of them a deployment has, only it knows. */
function networksIn(policy: string): PixelSettings {
  const had = inventory.filter(
    ({ network, sources }) => network && policy.includes(sources['script-src']?.[0] ?? '?'),
  );
  const settings = Object.fromEntries(had.map(({ network }) => [network, '1']));
  return { vendors: '', suffix: '', ...settings };
}

/** The headers that a page of this kind has to have. */
function headersFor(kind: PageKind, policy: string): Record<string, string> {
  const networks = networksIn(policy);
  // The start command serves the vendors' stand-ins on its own origin.
  const standIn = policy === contentSecurityPolicy(kind, true, networks);
  const { 'cache-control': _, ...all } = securityHeaders;
  return { ...all, ...pageHeaders(kind, standIn, networks) };
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

/** What a browser then had, besides what the HTML names. */
export interface Opened {
  scripts: readonly string[];
  frames: readonly string[];
}

const local = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

/** The start command serves the vendors' stand-ins under its own origin; they stand for the vendors. */
const meant = (address: string, own: string) =>
  local.test(own) ? address.replace(`${own}/fakes/`, 'https://') : address;

/** Each address that the page asks for as a script or shows as a frame, and whose it is. */
export function urlsOf(seen: PageSnapshot, opened: Opened) {
  const own = new URL(seen.url).origin;
  const found = (directive: Directive, addresses: readonly string[]) =>
    [...new Set(addresses)].map((address) => ({
      address,
      directive,
      who: ownerOf(meant(address, own), { kind: seen.kind, own, directive })?.who,
    }));
  return [
    ...found('script-src', [...seen.named, ...opened.scripts]),
    ...found('frame-src', [...seen.frames, ...opened.frames]),
  ];
}

/** All that is not as it has to be, of the kind, headers, scripts and frames. */
export function differencesOf(seen: PageSnapshot, opened: Opened): Difference[] {
  const strangers = urlsOf(seen, opened)
    .filter(({ who }) => who === undefined)
    .map(({ directive, address }) => ({
      what: directive === 'frame-src' ? 'frame' : 'script',
      expected: 'one of the inventory',
      found: address,
    }));
  const inline = seen.inline.map((tag) => ({
    what: 'script',
    expected: 'none inline',
    found: `<script${tag}>`,
  }));
  const { kind, claimed } = seen;
  const kinds = kind === claimed ? [] : [{ what: 'data-kind', expected: kind, found: claimed }];
  return [...kinds, ...headerDifferences(seen), ...strangers, ...inline];
}
