import { adNetworks, googlePolicies, type ThirdParty, unpinned } from './ad-network-hosts.ts';
import type { PageKind, PixelSettings } from './page-kind.ts';

const cardinal = ['https://*.cardinalcommerce.com', 'https://*.cardinaltrusted.com'];
const braintree = 'https://braintree.github.io/braintree-web/current/#content-security-policy';
const paypal = ['https://*.paypal.com', 'https://www.paypalobjects.com'];

/** Policies are built from it, and journeys fail at a script that it lacks. */
export const inventory: readonly ThirdParty[] = [
  {
    who: 'this product',
    why: 'the pages’ own code, images and API calls',
    kinds: ['ordinary', 'payment', 'private'],
    published: null,
    sources: {
      'style-src': ["'self'", "'unsafe-inline'"],
      'script-src': ["'self'"],
      'img-src': ["'self'"],
      'connect-src': ["'self'"],
      'form-action': ["'self'"],
    },
    policies: ['funnel', 'default'],
    integrity: 'by content: a file’s name contains its hash',
  },
  {
    who: 'this product',
    why: 'lets the browser prerender the next document',
    kinds: ['ordinary', 'payment'],
    published: null,
    sources: { 'script-src': ["'inline-speculation-rules'"] },
    integrity: 'no code: a URL, named by the page’s own script',
  },
  {
    who: 'this product',
    why: 'images that the page draws itself',
    kinds: ['ordinary', 'payment'],
    published: null,
    sources: { 'img-src': ['data:'] },
    integrity: 'no code',
  },
  {
    who: 'this product',
    why: 'holds Google’s street map in a frame of its own',
    kinds: ['ordinary'],
    published: null,
    sources: { 'frame-src': ["'self'"] },
    integrity: 'no code in our page',
  },
  {
    who: 'this product',
    why: 'starts Google’s script and gives it the position to show',
    kinds: ['map'],
    published: null,
    sources: { 'script-src': ["'self'"] },
    integrity: 'by content: the file is part of the build',
  },
  {
    // The documentation's policy with our hosts instead of `https:`; it needs `unsafe-eval` and inline styles.
    who: 'Google Maps',
    why: 'draws the street map around a shared position, only with GOOGLE_MAPS_KEY and once the buyer asks for it',
    kinds: ['map'],
    published:
      'https://developers.google.com/maps/documentation/javascript/content-security-policy',
    sources: {
      'script-src': ['https://maps.googleapis.com', "'unsafe-eval'", 'blob:'],
      'style-src': ["'unsafe-inline'", 'https://fonts.googleapis.com'],
      'img-src': [
        'https://*.googleapis.com',
        'https://*.gstatic.com',
        'https://*.google.com',
        'https://*.googleusercontent.com',
        'data:',
      ],
      'connect-src': [
        'https://*.googleapis.com',
        'https://*.google.com',
        'https://*.gstatic.com',
        'data:',
        'blob:',
      ],
      'frame-src': ['https://*.google.com'],
    },
    integrity: unpinned,
  },
  {
    who: 'Google sign-in',
    why: 'signs up without typing an e-mail; draws its own button in a frame',
    kinds: ['ordinary'],
    published:
      'https://developers.google.com/identity/gsi/web/guides/get-google-api-clientid#content_security_policy',
    sources: {
      'style-src': ['https://accounts.google.com/gsi/style'],
      'script-src': ['https://accounts.google.com/gsi/client'],
      'connect-src': ['https://accounts.google.com/gsi/'],
      'frame-src': ['https://accounts.google.com/gsi/'],
    },
    policies: googlePolicies,
    integrity: unpinned,
  },
  {
    who: 'Stripe',
    why: 'draws the card fields in frames of its own, takes the payment, opens 3-D Secure',
    kinds: ['payment'],
    published: 'https://docs.stripe.com/security/guide#content-security-policy',
    sources: {
      'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
      'img-src': ['https://*.stripe.com'],
      'connect-src': ['https://api.stripe.com'],
      'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    },
    pays: ['https://js.stripe.com'],
    integrity: unpinned,
  },
  {
    who: 'Braintree',
    why: 'draws the card fields in frames of its own, takes the payment',
    kinds: ['payment'],
    published: braintree,
    sources: {
      'script-src': ['https://js.braintreegateway.com'],
      'img-src': ['https://assets.braintreegateway.com'],
      'connect-src': ['https://*.braintreegateway.com', 'https://*.braintree-api.com'],
      'frame-src': ['https://assets.braintreegateway.com'],
    },
    integrity: 'possible: its address holds the version; no hash is set, the frames have none',
  },
  {
    // braintree.github.io/braintree-web/current/#content-security-policy, '3D Secure Specific Directives', and
    // braintree-web's CHANGELOG, 3.121.0 and 3.134.0: the gateway's configuration names the script, which is on
    // cardinaltrusted.com (github.com/braintree/braintree-web-drop-in/issues/977).
    who: 'Cardinal, for Braintree',
    why: 'has the bank ask the card’s owner: 3-D Secure',
    kinds: ['payment'],
    published: braintree,
    sources: { 'script-src': cardinal, 'connect-src': cardinal, 'frame-src': cardinal },
    integrity:
      'by its hash where Braintree’s configuration names one (cardinalSongbirdIdentityHash)',
  },
  {
    // Braintree requires `frame-src *` and `form-action *`: the banks' hosts cannot be listed.
    who: 'the bank of whoever pays',
    why: 'asks the card’s owner in a frame of our page: 3-D Secure',
    kinds: ['payment'],
    published: braintree,
    sources: { 'frame-src': ['https:'], 'form-action': ['https:'] },
    integrity: 'no code in our page',
  },
  {
    who: 'PayPal, for Braintree',
    why: 'pays by PayPal, and looks at the device against fraud',
    kinds: ['payment'],
    published: braintree,
    sources: {
      'script-src': paypal,
      'img-src': paypal,
      'connect-src': ['https://*.paypal.com'],
      'frame-src': ['https://*.paypal.com'],
    },
    pays: ['https://www.paypal.com'],
    integrity: unpinned,
  },
  {
    who: 'Google Pay, for Braintree',
    why: 'pays by Google Pay; Apple Pay is Safari’s own and loads nothing',
    kinds: ['payment'],
    published: braintree,
    sources: {
      'script-src': ['https://pay.google.com'],
      'img-src': ['https://www.gstatic.com'],
      'connect-src': ['https://pay.google.com', 'https://google.com/pay'],
      'frame-src': ['https://pay.google.com'],
    },
    pays: ['https://pay.google.com'],
    policies: googlePolicies,
    integrity: unpinned,
  },
  ...adNetworks,
];

export const thirdPartiesOn = (
  kind: PageKind,
  networks: PixelSettings | null = null,
): ThirdParty[] =>
  inventory.filter(
    ({ kinds, network }) => kinds.includes(kind) && (!network || Boolean(networks?.[network])),
  );

export const scriptHosts = (kind: PageKind, networks: PixelSettings | null = null): string => {
  const sources = thirdPartiesOn(kind, networks).flatMap(
    ({ sources }) => sources['script-src'] ?? [],
  );
  const hosts = sources.flatMap((source) => /^https:\/\/([^/]+)/.exec(source)?.[1] ?? []);
  return [...new Set(hosts)].join(' ');
};
