import type { Directive, ThirdParty } from './ad-network-hosts.ts';
import type { PageKind, PixelSettings } from './page-kind.ts';
import { thirdPartiesOn } from './script-inventory.ts';

const reportsPath = '/api/v1/reports';

const ours = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'font-src': "'self'",
  'manifest-src': "'self'",
};
const reporting = { 'report-uri': reportsPath, 'report-to': 'default' };

const directives: readonly Directive[] = [
  'style-src',
  'script-src',
  'img-src',
  'connect-src',
  'frame-src',
  'form-action',
];

const joined = (lists: readonly (readonly string[] | undefined)[]) =>
  [...new Set(lists.flatMap((list) => list ?? []))].join(' ');

function sourcesOf(parties: readonly ThirdParty[], frames: string | undefined): [string, string][] {
  return directives.flatMap((directive): [string, string][] => {
    const named = joined(parties.map(({ sources }) => sources[directive]));
    // `npm start` serves the vendors' fakes, frames included, on our own origin.
    const framed = directive === 'frame-src' || directive === 'form-action';
    const sources = (framed && named && frames) || named;
    return sources ? [[directive, sources]] : [];
  });
}

const trustedTypes = (parties: readonly ThirdParty[]) => ({
  'require-trusted-types-for': "'script'",
  'trusted-types': joined(parties.map(({ policies }) => policies)),
});

const write = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

/** The sandbox also holds when somebody opens the frame's address in a window. */
const mapFrame = (usesFakes: boolean) => ({
  'frame-ancestors': "'self'",
  'font-src': 'https://fonts.gstatic.com',
  'worker-src': 'blob:',
  sandbox: 'allow-scripts allow-popups',
  ...(usesFakes && { 'script-src': "'self'" }),
});

export function contentSecurityPolicy(
  kind: PageKind,
  usesFakes: boolean,
  pixels: PixelSettings | null = null,
): string {
  const parties = thirdPartiesOn(kind, pixels);
  return write({
    ...ours,
    ...Object.fromEntries(sourcesOf(parties, usesFakes ? "'self'" : undefined)),
    ...(kind === 'payment' || kind === 'map' ? {} : trustedTypes(parties)),
    ...(kind === 'map' ? mapFrame(usesFakes) : {}),
    ...reporting,
  });
}

/** Payment providers' scripts are not known to support Trusted Types, and no purchase may fail because of it. */
const reportOnly = write({ ...trustedTypes(thirdPartiesOn('payment')), ...reporting });

const permissions = (geolocation: string, payment: string) =>
  `camera=(), microphone=(), geolocation=${geolocation}, payment=${payment}, usb=(), midi=(), display-capture=()`;

const payers = thirdPartiesOn('payment').flatMap(({ pays }) => pays?.map((at) => `"${at}"`) ?? []);

export const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'permissions-policy': permissions('()', '()'),
  // Popups of Google, PayPal and banks call back the page that opened them. A redirect needs the same policy as its
  // target, or the browser separates the two.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

const reportingEndpoints = { 'reporting-endpoints': `default="${reportsPath}"` };

const headersByKind: Record<PageKind, Record<string, string>> = {
  ordinary: reportingEndpoints,
  payment: {
    ...reportingEndpoints,
    'content-security-policy-report-only': reportOnly,
    'permissions-policy': permissions('()', `(self ${payers.join(' ')})`),
  },
  // Only this page asks for a location. It opens no popup and is never indexed or cached.
  private: {
    ...reportingEndpoints,
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissions('(self)', '()'),
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  },
  map: {
    ...reportingEndpoints,
    'x-frame-options': 'SAMEORIGIN',
    'x-robots-tag': 'noindex',
  },
};

const cache = new Map<string, Record<string, string>>();

/** @param usesFakes whether vendor fakes serve frames on our origin */
export function pageHeaders(
  kind: PageKind,
  usesFakes: boolean,
  pixels: PixelSettings | null,
): Record<string, string> {
  const had = Object.entries(pixels ?? {}).flatMap(([name, value]) => (value ? name : []));
  const key = [kind, usesFakes, ...had].join();
  const known = cache.get(key);
  if (known) return known;
  const headers = {
    'content-security-policy': contentSecurityPolicy(kind, usesFakes, pixels),
    ...headersByKind[kind],
  };
  cache.set(key, headers);
  return headers;
}
