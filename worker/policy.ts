import type { PageKind, PixelSettings } from './funnel/page.ts';
import { admit } from './pixel-hosts.ts';

const ours = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'font-src': "'self'",
  'manifest-src': "'self'",
  // A screen's CSS stands in its HTML.
  'style-src': "'self' 'unsafe-inline'",
};

/**
 * Screens without payment: our own origin, and what Google's sign-in asks for
 * (developers.google.com/identity/gsi/web/guides/get-google-api-clientid).
 */
const ordinary = {
  ...ours,
  'style-src': `${ours['style-src']} https://accounts.google.com/gsi/style`,
  'script-src': "'self' 'inline-speculation-rules' https://accounts.google.com/gsi/client",
  'img-src': "'self' data:",
  'connect-src': "'self' https://accounts.google.com/gsi/",
  'frame-src': 'https://accounts.google.com/gsi/',
};

/** Who was invited meets our own origin, and nobody else's. */
const privately = {
  ...ours,
  'script-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
};

/** docs.stripe.com/security/guide#content-security-policy */
const stripe = {
  'script-src': 'https://js.stripe.com https://*.js.stripe.com',
  'img-src': 'https://*.stripe.com',
  'connect-src': 'https://api.stripe.com',
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
};

/** braintree.github.io/braintree-web/current: scripts, card frames, 3-D Secure by Cardinal. */
const braintree = {
  'script-src': 'https://js.braintreegateway.com https://*.cardinalcommerce.com',
  'img-src': 'https://assets.braintreegateway.com',
  'connect-src':
    'https://*.braintreegateway.com https://*.braintree-api.com https://*.cardinalcommerce.com',
  'frame-src': 'https://assets.braintreegateway.com https://*.cardinalcommerce.com',
};

/**
 * The wallets that Braintree's modules open: PayPal with its look at the device
 * (developer.paypal.com/limited-release/fraudnet/integrate), and Google Pay. Apple Pay is Safari's own.
 */
const wallets = {
  'script-src': 'https://*.paypal.com https://www.paypalobjects.com https://pay.google.com',
  'img-src': 'https://*.paypal.com https://www.paypalobjects.com https://www.gstatic.com',
  'connect-src': 'https://*.paypal.com https://pay.google.com https://google.com/pay',
  'frame-src': 'https://*.paypal.com https://pay.google.com',
};

const providers = [stripe, braintree, wallets];
const of = (name: keyof typeof stripe) => providers.map((one) => one[name]).join(' ');

/** Screens that take payment: our own origin and the payment providers. */
const payment = {
  ...ours,
  'script-src': `'self' ${of('script-src')}`,
  'img-src': `'self' data: ${of('img-src')}`,
  'connect-src': `'self' ${of('connect-src')}`,
  'frame-src': of('frame-src'),
};

const write = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

const policies = {
  ordinary: write(ordinary),
  payment: write(payment),
  private: write(privately),
};

/** The start command serves the vendors' stand-ins, frames included, on our own origin. */
const standIns = {
  ...policies,
  ordinary: write({ ...ordinary, 'frame-src': "'self'" }),
  payment: write({ ...payment, 'frame-src': "'self'" }),
};

/**
 * The content security policy of a page: one for each kind. Only the ordinary one admits ad networks,
 * those that this deployment has.
 */
export function policyOf(
  kind: PageKind,
  standIn: boolean,
  pixels: PixelSettings | null = null,
): string {
  if (kind !== 'ordinary' || standIn || !pixels) return (standIn ? standIns : policies)[kind];
  return write(admit(ordinary, pixels));
}

/** Headers that every answer carries. */
export const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
};

/** What a private page says in their place: it alone asks where the reader is, and leaves no trace. */
export const privateHeaders: Record<string, string> = {
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(self), payment=()',
  'x-robots-tag': 'noindex',
};
