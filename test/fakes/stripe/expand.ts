import { sourceOf } from './balance.ts';
import { invalid } from './call.ts';
import { paymentsOf } from './invoices.ts';
import { listOf, page } from './params.ts';
import type { StripeState } from './state.ts';

const shown = new Set(
  (
    'id object amount canceled_at cancellation_reason client_secret created currency description ' +
    'last_payment_error last_setup_error livemode next_action payment_method setup_future_usage status usage'
  ).split(' '),
);

/**
 * An intent as a publishable key sees it: "When retrieved with a publishable key, only a subset of
 * properties will be returned". https://docs.stripe.com/api/payment_intents/retrieve
 */
export function forBrowser(object: object): object {
  const { object: kind } = object as { object: string };
  if (kind !== 'payment_intent' && kind !== 'setup_intent') return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => shown.has(name)));
}

type Json = { [name: string]: unknown };
const tables: Record<string, keyof StripeState> = {
  customer: 'customers',
  default_payment_method: 'payment_methods',
  latest_charge: 'charges',
  latest_invoice: 'invoices',
  payment_intent: 'payment_intents',
  payment_method: 'payment_methods',
  subscription: 'subscriptions',
};

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Fields that a reply contains only on request. */
function included(object: Json, name: string, state: StripeState): unknown {
  if (object.object === 'charge' && name === 'refunds') {
    const url = `/v1/charges/${object.id}/refunds`;
    return structuredClone(page(state.refunds, url, {}, ({ charge }) => charge === object.id));
  }
  if (object.object !== 'invoice') return undefined;
  const payments = paymentsOf(String(object.id), state);
  if (name === 'payments') return structuredClone(listOf(payments, '/v1/invoice_payments'));
  if (name !== 'confirmation_secret') return undefined;
  // https://docs.stripe.com/api/invoices/object#invoice_object-confirmation_secret
  const id = payments.find(({ status }) => status === 'open')?.payment.payment_intent;
  const intent = state.payment_intents[String(id)];
  return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
}

function walk(at: unknown, path: string[], full: string, state: StripeState): void {
  const [name, ...rest] = path;
  if (name === undefined || at === null) return;
  if (Array.isArray(at)) {
    for (const item of at) walk(item, path, full, state);
    return;
  }
  // A null reference stays null.
  if (!isJson(at) || at[name] === null) return;
  let value = at[name] ?? included(at, name, state);
  const table = tables[name];
  if (typeof value === 'string' && name === 'source') {
    value = structuredClone(sourceOf(value, state)) ?? value;
  } else if (typeof value === 'string' && table)
    value = structuredClone(state[table][value]) ?? value;
  // https://docs.stripe.com/api/expanding_objects; among others Invoice.payment_intent is gone.
  if (value === undefined || (typeof value !== 'object' && rest.length === 0)) {
    throw invalid(`This property cannot be expanded (${full}).`, undefined, 'expand');
  }
  at[name] = value;
  walk(value, rest, full, state);
}

/** A copy of an object for a reply, with the requested references replaced by their objects. */
export function expanded(object: object, paths: string[], state: StripeState): object {
  const copy = structuredClone(object);
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.filter((step) => step !== 'data').length > 4) {
      throw invalid('You cannot expand more than 4 levels of a property.', undefined, 'expand');
    }
    walk(copy, steps, path, state);
  }
  return copy;
}
