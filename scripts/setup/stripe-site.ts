import Stripe from 'stripe';
import { bankMethods } from '../../worker/catalog/rules/bank-methods.ts';
import { stripeWallets } from '../../worker/catalog/rules/stripe-wallets.ts';
import { stripeEvents } from '../../worker/payments/gateways/stripe/webhook.ts';
import { CommandError } from '../command.ts';
import type { StripeContext } from './stripe-catalog.ts';

export interface SecretStore {
  has: (name: string) => boolean;
  put: (values: Record<string, string>) => Promise<void>;
}

const stored = 'stored';
const sameEvents = (events: readonly string[]) =>
  [...events].sort().join() === [...stripeEvents].sort().join();

/** Stripe shows a secret once: metadata records that it was stored. Then other endpoints of this URL are deleted. */
export async function ensureWebhook(
  { stripe, plan, print }: StripeContext,
  site: string,
  secrets: SecretStore,
): Promise<void> {
  const url = new URL('/webhooks/stripe', site).href;
  const endpoints: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) {
    if (endpoint.url === url) endpoints.push(endpoint);
  }
  const isKept = ({ metadata }: Stripe.WebhookEndpoint) =>
    metadata.funnel === stored && secrets.has('STRIPE_WEBHOOK_SECRET');
  let current = endpoints.find(isKept);
  const enabled_events = [...stripeEvents] as Stripe.WebhookEndpointUpdateParams.EnabledEvent[];
  if (!current) {
    print(`Webhook endpoint ${url} is created.`);
    if (plan) return;
    current = await stripe.webhookEndpoints.create({
      url,
      enabled_events: enabled_events as Stripe.WebhookEndpointCreateParams.EnabledEvent[],
      api_version: Stripe.API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
      metadata: { funnel: 'new' },
    });
    await secrets.put({ STRIPE_WEBHOOK_SECRET: current.secret ?? '' });
    await stripe.webhookEndpoints.update(current.id, { metadata: { funnel: stored } });
  } else if (!sameEvents(current.enabled_events) || current.status !== 'enabled') {
    print(`Webhook endpoint ${url} is enabled for the events that the Worker handles.`);
    if (!plan) {
      await stripe.webhookEndpoints.update(current.id, { enabled_events, disabled: false });
    }
  }
  for (const { id } of endpoints.filter((each) => each.id !== current?.id)) {
    print(`Webhook endpoint ${id}, whose secret is unknown, is deleted.`);
    if (!plan) await stripe.webhookEndpoints.del(id);
  }
}

/** Wallets require a registered domain (docs.stripe.com/payments/payment-methods/pmd-registration). */
export async function ensureWalletDomain(
  { stripe, plan, print }: StripeContext,
  site: string,
): Promise<void> {
  const domain_name = new URL(site).hostname;
  const { data } = await stripe.paymentMethodDomains.list({ domain_name, limit: 1 });
  let [domain] = data;
  if (!domain) {
    print(`Domain ${domain_name} is registered for Apple Pay, Google Pay and Link.`);
    if (plan) return;
    domain = await stripe.paymentMethodDomains.create({ domain_name });
  }
  if (domain.apple_pay.status !== 'active' && !plan) {
    domain = await stripe.paymentMethodDomains.validate(domain.id);
  }
  if (domain.apple_pay.status === 'active') return;
  const reason = domain.apple_pay.status_details?.error_message ?? 'Stripe gives no reason';
  print(`Apple Pay is not active on ${domain_name}: ${reason}. After a deploy, run this again.`);
}

export const stripeMethodNames = [...bankMethods, ...stripeWallets] as const;
export type StripeMethodName = (typeof stripeMethodNames)[number];

/**
 * The dashboard's switches (docs.stripe.com/api/payment_method_configurations). Methods that the account cannot use
 * yet are only reported: PayPal has to be connected there (docs.stripe.com/payments/paypal/activate).
 */
export async function ensureMethods(
  { stripe, plan, print }: StripeContext,
  names: readonly StripeMethodName[],
): Promise<void> {
  if (names.length === 0) return;
  let found: Stripe.PaymentMethodConfiguration | undefined;
  for await (const each of stripe.paymentMethodConfigurations.list({ limit: 100 })) {
    if (each.is_default && !each.parent) found = each;
  }
  if (!found) throw new CommandError('Stripe has no default payment method configuration.');
  const off = names.filter((name) => found?.[name]?.display_preference.value !== 'on');
  for (const name of off) print(`Payment method ${name} is turned on.`);
  if (off.length > 0 && !plan) {
    const on = { display_preference: { preference: 'on' as const } };
    const change = Object.fromEntries(off.map((name) => [name, on]));
    found = await stripe.paymentMethodConfigurations.update(found.id, change);
  }
  for (const name of names.filter((each) => !found?.[each]?.available && !plan)) {
    print(`Payment method ${name} is not available yet: dashboard, Settings, Payment methods.`);
  }
}
