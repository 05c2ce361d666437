import { adNetworks, googlePolicies, type ThirdParty } from './ad-network-hosts.ts';
import type { PageKind, PixelSettings } from './page-kind.ts';

const cardinal = ['https://*.cardinalcommerce.com', 'https://*.cardinaltrusted.com'];
const paypal = ['https://*.paypal.com', 'https://www.paypalobjects.com'];

/** Policies are built from it, and journeys fail at a script that it lacks. */
export const inventory: readonly ThirdParty[] = [
  {
    who: 'this product',
    kinds: ['ordinary', 'payment', 'private'],
    sources: {
      'style-src': ["'self'", "'unsafe-inline'"],
      'script-src': ["'self'"],
      'img-src': ["'self'"],
      'connect-src': ["'self'"],
      'form-action': ["'self'"],
    },
    policies: ['funnel', 'default'],
  },
  {
    who: 'this product, prerendering',
    kinds: ['ordinary', 'payment'],
    sources: { 'script-src': ["'inline-speculation-rules'"] },
  },
  {
    who: 'this product, drawn images',
    kinds: ['ordinary', 'payment'],
    sources: { 'img-src': ['data:'] },
  },
  {
    who: 'this product, the map’s frame',
    kinds: ['ordinary'],
    sources: { 'frame-src': ["'self'"] },
  },
  {
    who: 'this product, in the map’s frame',
    kinds: ['map'],
    sources: { 'script-src': ["'self'"] },
  },
  {
    // The documentation's policy with our hosts instead of `https:`; it needs `unsafe-eval` and inline styles.
    who: 'Google Maps',
    kinds: ['map'],
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
  },
  {
    who: 'Google sign-in',
    kinds: ['ordinary'],
    sources: {
      'style-src': ['https://accounts.google.com/gsi/style'],
      'script-src': ['https://accounts.google.com/gsi/client'],
      'connect-src': ['https://accounts.google.com/gsi/'],
      'frame-src': ['https://accounts.google.com/gsi/'],
    },
    policies: googlePolicies,
  },
  {
    who: 'Stripe',
    kinds: ['payment'],
    sources: {
      'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
      'img-src': ['https://*.stripe.com'],
      'connect-src': ['https://api.stripe.com'],
      'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    },
    pays: ['https://js.stripe.com'],
  },
  {
    who: 'Braintree',
    kinds: ['payment'],
    sources: {
      'script-src': ['https://js.braintreegateway.com'],
      'img-src': ['https://assets.braintreegateway.com'],
      'connect-src': ['https://*.braintreegateway.com', 'https://*.braintree-api.com'],
      'frame-src': ['https://assets.braintreegateway.com'],
    },
  },
  {
    // braintree.github.io/braintree-web/current/#content-security-policy, '3D Secure Specific Directives', and
    // braintree-web's CHANGELOG, 3.121.0 and 3.134.0: the gateway's configuration names the script, which is on
    // cardinaltrusted.com (github.com/braintree/braintree-web-drop-in/issues/977).
    who: 'Cardinal, for Braintree',
    kinds: ['payment'],
    sources: { 'script-src': cardinal, 'connect-src': cardinal, 'frame-src': cardinal },
  },
  {
    // Braintree requires `frame-src *` and `form-action *`: the banks' hosts cannot be listed.
    who: 'the bank of whoever pays',
    kinds: ['payment'],
    sources: { 'frame-src': ['https:'], 'form-action': ['https:'] },
  },
  {
    who: 'PayPal, for Braintree',
    kinds: ['payment'],
    sources: {
      'script-src': paypal,
      'img-src': paypal,
      'connect-src': ['https://*.paypal.com'],
      'frame-src': ['https://*.paypal.com'],
    },
    pays: ['https://www.paypal.com'],
  },
  {
    who: 'Google Pay, for Braintree',
    kinds: ['payment'],
    sources: {
      'script-src': ['https://pay.google.com'],
      'img-src': ['https://www.gstatic.com'],
      'connect-src': ['https://pay.google.com', 'https://google.com/pay'],
      'frame-src': ['https://pay.google.com'],
    },
    pays: ['https://pay.google.com'],
    policies: googlePolicies,
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
