import Stripe from 'stripe';
import { bankMethods } from '../../worker/catalog/rules/bank-methods.ts';
import { stripeWallets } from '../../worker/catalog/rules/stripe-wallets.ts';
import { stripeEvents } from '../../worker/payments/gateways/stripe/webhook.ts';
import { CommandError } from '../command.ts';
import { change, type StripeContext } from './stripe-catalog.ts';

export interface SecretStore {
  has: (name: string) => boolean;
  put: (values: Record<string, string>) => Promise<void>;
}

const stored = 'stored';
const sameEvents = (events: readonly string[]) =>
  [...events].sort().join() === [...stripeEvents].sort().join();

/** Stripe shows a secret once: metadata records that it was stored. Then other endpoints of this URL are deleted. */
export async function ensureWebhook(
  context: StripeContext,
  site: string,
  secrets: SecretStore,
): Promise<void> {
  const { stripe } = context;
  const url = new URL('/webhooks/stripe', site).href;
  const endpoints: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) {
    if (endpoint.url === url) endpoints.push(endpoint);
  }
  const isKept = ({ metadata, api_version }: Stripe.WebhookEndpoint) =>
    metadata.funnel === stored &&
    // Stripe cannot change an endpoint's version.
    api_version === Stripe.API_VERSION &&
    secrets.has('STRIPE_WEBHOOK_SECRET');
  const kept = endpoints.find(isKept);
  let currentId = kept?.id;
  const enabled_events = [...stripeEvents] as Stripe.WebhookEndpointUpdateParams.EnabledEvent[];
  if (!kept) {
    const created = await change(context, 'create', `webhook endpoint ${url}`, async () => {
      const endpoint = await stripe.webhookEndpoints.create({
        url,
        enabled_events: enabled_events,
        api_version: Stripe.API_VERSION,
        metadata: { funnel: 'new' },
      });
      await secrets.put({ STRIPE_WEBHOOK_SECRET: endpoint.secret ?? '' });
      return stripe.webhookEndpoints.update(endpoint.id, { metadata: { funnel: stored } });
    });
    if (!created) return;
    currentId = created.id;
  } else if (!sameEvents(kept.enabled_events) || kept.status !== 'enabled') {
    await change(
      context,
      'update',
      `webhook endpoint ${url} to the events that the Worker handles`,
      () => stripe.webhookEndpoints.update(kept.id, { enabled_events, disabled: false }),
    );
  }
  for (const { id } of endpoints.filter((each) => each.id !== currentId)) {
    await change(
      context,
      'delete',
      `webhook endpoint ${id}, whose secret is unknown or whose events have another version`,
      () => stripe.webhookEndpoints.del(id),
    );
  }
}

/** Wallets require a registered domain (docs.stripe.com/payments/payment-methods/pmd-registration). */
export async function ensureWalletDomain(context: StripeContext, site: string): Promise<void> {
  const { stripe, plan, print } = context;
  const domain_name = new URL(site).hostname;
  const { data } = await stripe.paymentMethodDomains.list({ domain_name, limit: 1 });
  let domain: Stripe.PaymentMethodDomain | null =
    data[0] ??
    (await change(context, 'register', `${domain_name} for Apple Pay, Google Pay and Link`, () =>
      stripe.paymentMethodDomains.create({ domain_name }),
    ));
  if (!domain) return;
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
  context: StripeContext,
  names: readonly StripeMethodName[],
): Promise<void> {
  const { stripe, plan, print } = context;
  if (names.length === 0) return;
  let found: Stripe.PaymentMethodConfiguration | null = null;
  for await (const each of stripe.paymentMethodConfigurations.list({ limit: 100 })) {
    if (each.is_default && !each.parent) found = each;
  }
  if (!found) throw new CommandError('Stripe has no default payment method configuration.');
  const off = names.filter((name) => found?.[name]?.display_preference.value !== 'on');
  const { id } = found;
  if (off.length > 0) {
    const on = { display_preference: { preference: 'on' as const } };
    const switched = Object.fromEntries(off.map((name) => [name, on]));
    found = await change(context, 'turn on', `payment methods ${off.join(', ')}`, () =>
      stripe.paymentMethodConfigurations.update(id, switched),
    );
  }
  for (const name of names.filter((each) => !found?.[each]?.available && !plan)) {
    print(`Payment method ${name} is not available yet: dashboard, Settings, Payment methods.`);
  }
}
