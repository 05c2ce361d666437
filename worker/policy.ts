import type { PageKind } from './funnel/page.ts';

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

/** Screens that take payment: our own origin and the payment provider (docs.stripe.com/security/guide). */
const payment = {
  ...ours,
  'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
  'img-src': "'self' data: https://*.stripe.com",
  'connect-src': "'self' https://api.stripe.com",
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
};

const write = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

const policies = { ordinary: write(ordinary), payment: write(payment) };

/** The start command serves the vendors' stand-ins, frames included, on our own origin. */
const standIns = {
  ordinary: write({ ...ordinary, 'frame-src': "'self'" }),
  payment: write({ ...payment, 'frame-src': "'self'" }),
};

/** The content security policy of a page: one for ordinary screens, one for payment. */
export function policyOf(kind: PageKind, standIn: boolean): string {
  return (standIn ? standIns : policies)[kind];
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
