import type { Rates } from './simulated-site.ts';

interface Fault {
  name: string;
  /** The area of the expected alarm. */
  area: string;
  rates: Partial<Rates>;
}

const broken = (name: string, step: string, area: string, where: string | null = null): Fault => ({
  name,
  area,
  rates: {
    step: (each, country, device) =>
      each === step && (where === null || where === country || where === device) ? 0 : 1,
  },
});

const at =
  (gateway: string, factor: number, country: string | null = null) =>
  (eachGateway: string, eachCountry = '') =>
    eachGateway === gateway && (country === null || country === eachCountry) ? factor : 1;

const payment = (name: string, gateway: string, rates: Partial<Rates>): Fault => ({
  name,
  area: `payment:${gateway}`,
  rates,
});

export const faults: readonly Fault[] = [
  { name: 'the domain does not resolve', area: 'visits', rates: { visits: 0 } },
  { name: 'a CDN serves an error page to nine of ten', area: 'visits', rates: { visits: 0.1 } },
  broken('sign-up answers 503', 'signup', 'step:signup'),
  broken('the sign-up button is covered', 'signup', 'step:signup'),
  broken('Google sign-in and e-mail fail', 'signup', 'step:signup'),
  broken('sign-up fails on iPhones', 'signup', 'step:signup', 'ios'),
  broken('sign-up fails on Android', 'signup', 'step:signup', 'android'),
  broken('sign-up fails in the US', 'signup', 'step:signup', 'US'),
  broken('sign-up fails in Germany', 'signup', 'step:signup', 'DE'),
  broken('the checkout is blank', 'checkout', 'step:checkout'),
  broken('the checkout is blank on iPhones', 'checkout', 'step:checkout', 'ios'),
  broken('the card fields do not load', 'pay', 'step:pay'),
  broken('the Pay button does nothing', 'pay', 'step:pay'),
  broken('the card fields do not load on iPhones', 'pay', 'step:pay', 'ios'),
  broken('no purchase completes', 'purchase', 'payment'),
  broken('the result is never shown', 'purchase', 'payment'),
  payment('half of Stripe’s payments are declined', 'stripe', { declines: at('stripe', 5) }),
  payment('a fraud rule declines all', 'stripe', { declines: at('stripe', 8) }),
  payment('card testing', 'stripe', { declines: at('stripe', 6) }),
  payment('Braintree declines all', 'braintree', { declines: at('braintree', 8) }),
  payment('US banks decline', 'stripe', { declines: at('stripe', 6, 'US') }),
  payment('German banks decline', 'stripe', { declines: at('stripe', 7, 'DE') }),
  payment('3-D Secure fails everywhere', 'stripe', { unverified: at('stripe', 9) }),
  payment('3-D Secure fails in Germany', 'stripe', { unverified: at('stripe', 10, 'DE') }),
  payment('Stripe answers 500 to a third', 'stripe', { callsFailed: at('stripe', 170) }),
  payment('Stripe’s key is revoked', 'stripe', { callsFailed: at('stripe', 500) }),
  payment('Braintree is down', 'braintree', { callsFailed: at('braintree', 500) }),
  payment('Stripe takes ten seconds', 'stripe', { callsSlow: at('stripe', 50) }),
  payment('Braintree takes ten seconds', 'braintree', { callsSlow: at('braintree', 80) }),
  { name: 'webhooks come late', area: 'webhooks:stripe', rates: { webhooksLate: 300 } },
  {
    name: 'the webhook secret is wrong',
    area: 'webhooks:stripe',
    rates: { webhooks: at('stripe', 0) },
  },
  { name: 'a queue gives messages up', area: 'dead_letters', rates: { deadLetters: 2 } },
  { name: 'the sender domain is suspended', area: 'email', rates: { emailRefused: 100 } },
  { name: 'Resend is down', area: 'email', rates: { emailFailed: 200 } },
  { name: 'Twilio has no balance', area: 'sms', rates: { smsFailed: 90 } },
  { name: 'a configuration is refused', area: 'configuration', rates: { configRefused: 3 } },
  { name: 'a deploy makes pages 50 % slower', area: 'vitals', rates: { lcp: 1.5 } },
  { name: 'one variant fails for half', area: 'experiment:prices', rates: { secondArm: 0.5 } },
  { name: 'somebody refunds everything', area: 'refunds:stripe', rates: { refunds: 25 } },
  { name: 'one page of fifty answers 500', area: 'pages', rates: { pagesFailed: 100 } },
];
