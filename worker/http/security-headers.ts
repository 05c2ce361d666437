import type { PageKind, PixelSettings } from '../page-types.ts';
import { thirdPartiesOn } from './script-inventory.ts';
import type { Directive, ThirdParty } from './third-party.ts';

/** Where browsers send what they refused, or what broke. */
const reportsAt = '/api/v1/reports';

const ours = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'font-src': "'self'",
  'manifest-src': "'self'",
};
const reporting = { 'report-uri': reportsAt, 'report-to': 'default' };

const directives: readonly Directive[] = [
  'style-src',
  'script-src',
  'img-src',
  'connect-src',
  'frame-src',
  'form-action',
];

/** Each once, in the order of the inventory. */
const joined = (lists: readonly (readonly string[] | undefined)[]) =>
  [...new Set(lists.flatMap((list) => list ?? []))].join(' ');

function sourcesOf(parties: readonly ThirdParty[], frames: string | undefined): [string, string][] {
  return directives.flatMap((directive): [string, string][] => {
    const named = joined(parties.map(({ sources }) => sources[directive]));
    // The start command serves the vendors' stand-ins, frames included, on our own origin.
    const framed = directive === 'frame-src' || directive === 'form-action';
    const sources = (framed && named && frames) || named;
    return sources ? [[directive, sources]] : [];
  });
}

/** What may be made of text: HTML by our own policy alone, addresses of scripts by the default one too. */
const trustedTypes = (parties: readonly ThirdParty[]) => ({
  'require-trusted-types-for': "'script'",
  'trusted-types': joined(parties.map(({ policies }) => policies)),
});

const write = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

/**
 * The content security policy of a page: one for each kind, made of the inventory. Only the ordinary
 * one admits ad networks, those that this deployment has.
 */
export function contentSecurityPolicy(
  kind: PageKind,
  standIn: boolean,
  pixels: PixelSettings | null = null,
): string {
  const parties = thirdPartiesOn(kind, pixels);
  return write({
    ...ours,
    ...Object.fromEntries(sourcesOf(parties, standIn ? "'self'" : undefined)),
    ...(kind === 'payment' ? {} : trustedTypes(parties)),
    ...reporting,
  });
}

/**
 * What a payment page only reports: payment providers' scripts are not known to keep Trusted Types, and
 * no purchase may fail by it.
 */
const watched = write({ ...trustedTypes(thirdPartiesOn('payment')), ...reporting });

const permissions = (geolocation: string, payment: string) =>
  `camera=(), microphone=(), geolocation=${geolocation}, payment=${payment}, usb=(), midi=(), display-capture=()`;

const payers = thirdPartiesOn('payment').flatMap(({ pays }) => pays?.map((at) => `"${at}"`) ?? []);

/** Headers that every answer carries, unless it says more. */
export const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'permissions-policy': permissions('()', '()'),
  // Google's, PayPal's and a bank's windows answer to the page that opened them. A redirect says the
  // same as the page behind it, or the browser would part the two.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

const reportingEndpoints = { 'reporting-endpoints': `default="${reportsAt}"` };

/** What the pages of a kind say besides. */
const kinds: Record<PageKind, Record<string, string>> = {
  ordinary: reportingEndpoints,
  payment: {
    ...reportingEndpoints,
    'content-security-policy-report-only': watched,
    'permissions-policy': permissions('()', `(self ${payers.join(' ')})`),
  },
  // It alone asks where the reader is, opens no window, and leaves no trace.
  private: {
    ...reportingEndpoints,
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissions('(self)', '()'),
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  },
};

/** What was written before; bounded by the kinds and the networks that one deployment has. */
const written = new Map<string, Record<string, string>>();

/** The headers of a page by which browsers protect it; `standIn` and `pixels` as for `policyOf`. */
export function pageHeaders(
  kind: PageKind,
  standIn: boolean,
  pixels: PixelSettings | null,
): Record<string, string> {
  const had = Object.entries(pixels ?? {}).flatMap(([name, value]) => (value ? name : []));
  const key = [kind, standIn, ...had].join();
  const known = written.get(key);
  if (known) return known;
  const headers = {
    'content-security-policy': contentSecurityPolicy(kind, standIn, pixels),
    ...kinds[kind],
  };
  written.set(key, headers);
  return headers;
}
