import type { Stripe } from 'stripe';
import { type Call, find, type Handler, idOf, invalid, only } from './call.ts';
import { billIn } from './currency.ts';
import { draftOf, finalize } from './invoice-objects.ts';
import { metadata, text, textOrNull, whole } from './params.ts';
import { newId, nulls } from './state.ts';
import { itemLine } from './subscription-items.ts';

/** In the notation of `validate.ts`; sub-objects are `*`. */
export const ONE_OFF_PARAMETERS: Record<string, string> = {
  'POST /invoiceitems':
    'amount# currency customer customer_account description discountable? discounts[]* expand[] invoice metadata* period* price_data* pricing* quantity# quantity_decimal subscription tax_behavior=unspecified|exclusive|inclusive tax_code tax_rates[] unit_amount_decimal',
  'DELETE /invoiceitems/:id': '',
  'POST /invoices':
    'account_tax_ids[] application_fee_amount# auto_advance? automatic_tax* automatically_finalizes_at# collection_method=charge_automatically|send_invoice currency custom_fields[]* customer customer_account days_until_due# default_payment_method default_source default_tax_rates[] description discounts[]* due_date# effective_at# expand[] footer from_invoice* issuer* metadata* number on_behalf_of payment_settings* pending_invoice_items_behavior=exclude|include rendering* shipping_cost* shipping_details* statement_descriptor subscription transfer_data*',
  'DELETE /invoices/:id': '',
  'POST /invoices/:id/finalize': 'auto_advance? expand[]',
  'POST /invoices/:id/send': 'expand[]',
};

/** POST /invoiceitems: waits for the customer's next invoice. https://docs.stripe.com/api/invoiceitems/create */
function createItem(call: Call): Stripe.InvoiceItem {
  const { params, state, now, emit } = call;
  only(
    params,
    ['amount', 'currency', 'customer', 'description', 'metadata'],
    'invoiceItems.create',
  );
  const customer = find(state.customers, 'customer', text(params, 'customer') ?? '', 'customer');
  const currency = (text(params, 'currency') ?? '').toLowerCase();
  billIn(customer, currency, state);
  const item = {
    ...nulls('customer_account invoice parent pricing tax_rates test_clock'),
    id: newId('ii'),
    object: 'invoiceitem',
    amount: whole(params, 'amount', 0),
    currency,
    customer: customer.id,
    date: now,
    description: textOrNull(params, 'description'),
    discountable: true,
    discounts: [],
    livemode: false,
    metadata: metadata(params),
    period: { end: now, start: now },
    proration: false,
    quantity: 1,
    quantity_decimal: '1',
  } as unknown as Stripe.InvoiceItem;
  state.invoice_items[item.id] = item;
  emit('invoiceitem.created', item);
  return item;
}

/** "Deleting invoice items is only possible when they're not attached to invoices, or if it's attached to a draft invoice." */
function deleteItem({ state, id, emit }: Call) {
  const item = find(state.invoice_items, 'invoiceitem', id);
  if (item.invoice) throw invalid('This invoice item is attached to an invoice.');
  delete state.invoice_items[id];
  emit('invoiceitem.deleted', item);
  return { id, object: 'invoiceitem', deleted: true };
}

/** POST /invoices: a draft over the customer's waiting items. https://docs.stripe.com/api/invoices/create */
function createInvoice(call: Call): Stripe.Invoice {
  const { params, state, now, emit } = call;
  const known = 'collection_method customer days_until_due description metadata';
  only(params, [...known.split(' '), 'pending_invoice_items_behavior'], 'invoices.create');
  const customer = find(state.customers, 'customer', text(params, 'customer') ?? '', 'customer');
  const included = text(params, 'pending_invoice_items_behavior') === 'include';
  const items = Object.values(state.invoice_items).filter(
    (item) => included && !item.invoice && idOf(item.customer) === customer.id,
  );
  const owner = { customer: customer.id, currency: customer.currency ?? 'usd', subscription: null };
  const invoice = draftOf(owner, items.map(itemLine), 'manual', newId('in'), call);
  for (const item of items) item.invoice = invoice.id;
  invoice.description = textOrNull(params, 'description');
  invoice.metadata = metadata(params);
  if (text(params, 'collection_method') === 'send_invoice') {
    invoice.collection_method = 'send_invoice';
    invoice.due_date = now + whole(params, 'days_until_due', 0) * 86_400;
  }
  state.invoices[invoice.id] = invoice;
  emit('invoice.created', invoice);
  return invoice;
}

function draft({ state, id }: Call): Stripe.Invoice {
  const invoice = find(state.invoices, 'invoice', id);
  if (invoice.status === 'draft') return invoice;
  throw invalid(`This invoice is ${invoice.status}; it must be a draft.`);
}

/** "Attempts to delete invoices that are no longer in a draft state will fail", and those of subscriptions. */
function deleteInvoice(call: Call) {
  const invoice = draft(call);
  if (invoice.parent) throw invalid('An invoice of a subscription cannot be deleted.');
  delete call.state.invoices[invoice.id];
  call.emit('invoice.deleted', invoice);
  return { id: invoice.id, object: 'invoice', deleted: true };
}

/** https://docs.stripe.com/api/invoices/finalize */
function finalizeByCall(call: Call): Stripe.Invoice {
  only(call.params, [], 'invoices.finalizeInvoice');
  const invoice = draft(call);
  finalize(invoice, call);
  return invoice;
}

/** https://docs.stripe.com/api/invoices/send */
function sendInvoice(call: Call): Stripe.Invoice {
  const { state, id, emit } = call;
  const invoice = find(state.invoices, 'invoice', id);
  if (invoice.collection_method !== 'send_invoice' || !invoice.customer_email)
    throw invalid('Only an invoice to be sent, whose customer has an email, can be sent.');
  if (invoice.status === 'draft') finalize(invoice, call);
  emit('invoice.sent', invoice);
  return invoice;
}

/** Invoices without a subscription, which Stripe's own fixtures use; the Worker makes none. */
export const ONE_OFF_ROUTES: Record<string, Handler> = {
  'POST /invoiceitems': createItem,
  'DELETE /invoiceitems/:id': deleteItem,
  'POST /invoices': createInvoice,
  'DELETE /invoices/:id': deleteInvoice,
  'POST /invoices/:id/finalize': finalizeByCall,
  'POST /invoices/:id/send': sendInvoice,
};
