import type { Stripe } from 'stripe';
import { type Call, find, idOf } from './call.ts';
import { endSubscription } from './clock.ts';

import { group, metadata, type Params, text, textOrNull } from './params.ts';

import { attachTo, usable } from './payment-methods.ts';
import { newId } from './state.ts';

const address = (params: Params): Stripe.Address | null =>
  typeof params.address === 'object'
    ? ({
        city: textOrNull(group(params, 'address'), 'city'),
        country: textOrNull(group(params, 'address'), 'country'),
        line1: textOrNull(group(params, 'address'), 'line1'),
        line2: textOrNull(group(params, 'address'), 'line2'),
        postal_code: textOrNull(group(params, 'address'), 'postal_code'),
        state: textOrNull(group(params, 'address'), 'state'),
      } satisfies Stripe.Address)
    : null;

function write(customer: Stripe.Customer, { params, state, now }: Call): void {
  const fields = ['email', 'name', 'phone', 'description'] as const;
  for (const name of fields) if (name in params) customer[name] = textOrNull(params, name);
  if ('address' in params) customer.address = address(params);
  if ('preferred_locales' in params)
    customer.preferred_locales = Object.values(params.preferred_locales ?? []).map(String);
  customer.metadata = metadata(params, customer.metadata);
  const paying = text(params, 'payment_method');
  const attached = paying ? usable(paying, state, now, 'payment_method') : undefined;
  if (attached) attachTo(attached, customer.id, state);
  const chosen = text(group(params, 'invoice_settings'), 'default_payment_method');
  if (chosen) {
    const method = find(
      state.payment_methods,
      'PaymentMethod',
      // The test methods of the documentation get an id of their own when they are attached.
      (chosen === paying && attached?.id) || chosen,
      'invoice_settings[default_payment_method]',
    );
    customer.invoice_settings.default_payment_method = method.id;
  }
}

export function createCustomer(call: Call): Stripe.Customer {
  const { state, now } = call;
  const customer: Stripe.Customer = {
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: newId('', 8).slice(1).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  write(customer, call);
  state.customers[customer.id] = customer;
  call.emit('customer.created', customer);
  return customer;
}

const gone = (id: string): Stripe.DeletedCustomer => ({ id, object: 'customer', deleted: true });

/** GET /customers/:id; of a deleted one the id is left. */
export const retrieveCustomer = ({ state, id }: Call): Stripe.Customer | Stripe.DeletedCustomer =>
  state.deleted_customers[id] ? gone(id) : find(state.customers, 'customer', id);

/**
 * DELETE /customers/:id: "It cannot be undone. Also immediately cancels any active subscriptions on
 * the customer." https://docs.stripe.com/api/customers/delete
 */
export function deleteCustomer(call: Call): Stripe.DeletedCustomer {
  const { state, id, emit } = call;
  const customer = find(state.customers, 'customer', id);
  for (const subscription of Object.values(state.subscriptions)) {
    const over = ['canceled', 'incomplete_expired'].includes(subscription.status);
    if (idOf(subscription.customer) === id && !over) {
      endSubscription(subscription, 'cancellation_requested', call);
    }
  }
  for (const method of Object.values(state.payment_methods)) {
    if (method.customer !== id) continue;
    method.customer = null;
    state.spent[method.id] = true;
    emit('payment_method.detached', method);
  }
  delete state.customers[id];
  state.deleted_customers[id] = true;
  emit('customer.deleted', customer);
  return gone(id);
}

export function updateCustomer(call: Call): Stripe.Customer {
  const customer = find(call.state.customers, 'customer', call.id);
  write(customer, call);
  call.emit('customer.updated', customer);
  return customer;
}
