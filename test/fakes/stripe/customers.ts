import type { Stripe } from 'stripe';
import { type Call, find } from './call.ts';

import { group, metadata, text, textOrNull } from './params.ts';

import { attachTo, usable } from './payment-methods.ts';
import { newId } from './state.ts';

function write(customer: Stripe.Customer, { params, state, now }: Call): void {
  const fields = ['email', 'name', 'phone', 'description'] as const;
  for (const name of fields) if (name in params) customer[name] = textOrNull(params, name);
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
  const customer = {
    id: newId('cus', 14),
    object: 'customer',
    created: now,
    description: null,
    email: null,
    invoice_settings: { default_payment_method: null },
    livemode: false,
    metadata: {},
    name: null,
    phone: null,
  } as unknown as Stripe.Customer;
  write(customer, call);
  state.customers[customer.id] = customer;
  call.emit('customer.created', customer);
  return customer;
}

export const retrieveCustomer = ({ state, id }: Call) => find(state.customers, 'customer', id);

export function updateCustomer(call: Call): Stripe.Customer {
  const customer = find(call.state.customers, 'customer', call.id);
  write(customer, call);
  call.emit('customer.updated', customer);
  return customer;
}
