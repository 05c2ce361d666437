import type { Sandbox } from '../call.ts';
import { clientTokenFor } from '../client-token.ts';
import { discountFields } from '../discounts.ts';
import { Invalid, NotFound } from '../errors.ts';
import { planFields } from '../merchant-plans.ts';
import { refund, voidTransaction } from '../money-back.ts';
import { sell } from '../sale.ts';
import { minor, newId, type Refund, type Transaction } from '../state.ts';
import {
  cancelSubscription,
  createSubscription,
  type Fields,
  field,
  findSubscription,
} from '../subscriptions.ts';
import { makeNonce, nonceNamed } from '../vault.ts';
import {
  customerFields,
  elementOf,
  methodFields,
  nonceFields,
  saleFields,
  subscriptionFields,
} from './views.ts';

/** The name of the answer's element, and what is in it. */
type Answer = [element: string, fields: object];
type Handler = (sandbox: Sandbox, id: string, body: Record<string, Fields>) => Answer;

function saleNamed({ state }: Sandbox, id: string): Transaction {
  const sale = state.transactions[id];
  if (!sale) throw new NotFound(id);
  return sale;
}

const customer: Handler = (sandbox, id) => {
  const found = sandbox.state.customers[id];
  if (!found) throw new NotFound(id);
  return ['customer', customerFields(sandbox, found)];
};

const createCustomer: Handler = (sandbox, _id, body) => {
  const fields = body.customer ?? {};
  const id = field(fields, 'id') ?? newId();
  if (sandbox.state.customers[id]) {
    throw new Invalid('91609', 'id', 'Customer ID has already been taken.', 'customer');
  }
  const made = { id, email: field(fields, 'email') ?? '', createdAt: sandbox.now() };
  sandbox.state.customers[id] = made;
  return ['customer', customerFields(sandbox, made)];
};

const updateCustomer: Handler = (sandbox, id, body) => {
  const found = sandbox.state.customers[id];
  if (!found) throw new NotFound(id);
  found.email = field(body.customer ?? {}, 'email') ?? found.email;
  return ['customer', customerFields(sandbox, found)];
};

const creditFields = (
  sandbox: Sandbox,
  of: Transaction,
  { id, amount, orderId, createdAt }: Refund,
) => ({
  ...saleFields(sandbox, {
    ...of,
    id,
    amount,
    orderId,
    createdAt,
    status: 'SUBMITTED_FOR_SETTLEMENT',
  }),
  type: 'credit',
});

/** A refund is a transaction of its own. */
function creditOrSale(sandbox: Sandbox, id: string) {
  const refund = sandbox.state.refunds[id];
  return refund
    ? creditFields(sandbox, saleNamed(sandbox, refund.transaction), refund)
    : saleFields(sandbox, saleNamed(sandbox, id));
}

const sale: Handler = (sandbox, _id, body) => {
  const fields = body.transaction ?? {};
  const options = (fields.options ?? {}) as Fields;
  const made = sell(sandbox, {
    nonce: field(fields, 'payment_method_nonce') ?? null,
    token: field(fields, 'payment_method_token') ?? null,
    amount: minor(field(fields, 'amount') ?? '0'),
    merchantAccount: field(fields, 'merchant_account_id') ?? 'funnel_usd',
    orderId: field(fields, 'order_id') ?? null,
    customer: field(fields, 'customer_id') ?? null,
    vaultOnSuccess: field(options, 'store_in_vault_on_success') === 'true',
  });
  return ['transaction', saleFields(sandbox, made)];
};

/** Every call the fake answers, after `/merchants/:merchant`. */
const routes: Record<string, Handler> = {
  'POST /customers': createCustomer,
  'GET /customers/:id': customer,
  'PUT /customers/:id': updateCustomer,
  'POST /client_token': (_world, _id, body) => {
    const id = field(body.client_token ?? {}, 'customer_id');
    return ['client-token', { value: clientTokenFor(id) }];
  },
  'GET /plans': ({ plans }) => ['plans', { item: 'plan', list: plans.map(planFields) }],
  'GET /discounts': ({ discounts }) => [
    'discounts',
    { item: 'discount', list: discounts.map(discountFields) },
  ],
  'POST /subscriptions': (sandbox, _id, body) => {
    const made = createSubscription(sandbox, body.subscription ?? {});
    return ['subscription', subscriptionFields(sandbox, made)];
  },
  'GET /subscriptions/:id': (sandbox, id) => [
    'subscription',
    subscriptionFields(sandbox, findSubscription(sandbox, id)),
  ],
  'PUT /subscriptions/:id/cancel': (sandbox, id) => [
    'subscription',
    subscriptionFields(sandbox, cancelSubscription(sandbox, id)),
  ],
  'POST /transactions': sale,
  'GET /transactions/:id': (sandbox, id) => ['transaction', creditOrSale(sandbox, id)],
  'PUT /transactions/:id/void': (sandbox, id) => [
    'transaction',
    saleFields(sandbox, voidTransaction(saleNamed(sandbox, id))),
  ],
  'POST /transactions/:id/refund': (sandbox, id, body) => {
    const amount = field(body.transaction ?? {}, 'amount');
    const of = saleNamed(sandbox, id);
    const orderId = field(body.transaction ?? {}, 'order_id');
    const made = refund(sandbox, of, amount === undefined ? undefined : minor(amount), orderId);
    return ['transaction', creditFields(sandbox, of, made)];
  },
  'GET /payment_method_nonces/:id': (sandbox, id) => [
    'payment-method-nonce',
    nonceFields(nonceNamed(sandbox, id)),
  ],
  'GET /payment_methods/any/:id': (sandbox, id) => {
    const found = sandbox.state.methods[id];
    if (!found) throw new NotFound(id);
    return [elementOf(found), methodFields(found)];
  },
  'POST /payment_methods/:id/nonces': (sandbox, id) => {
    const method = sandbox.state.methods[id];
    if (!method) throw new NotFound(id);
    return ['payment-method-nonce', nonceFields(makeNonce(sandbox, method.card, { token: id }))];
  },
};

/** The handler of a path such as `/subscriptions/x/cancel`; undefined when there is none. */
export function routeOf(
  method: string,
  path: string,
): { handler: Handler; id: string } | undefined {
  const parts = path.split('/').slice(1);
  for (const [name, handler] of Object.entries(routes)) {
    const [verb, pattern = ''] = name.split(' ');
    const steps = pattern.split('/').slice(1);
    if (verb !== method || steps.length !== parts.length) continue;
    if (!steps.every((step, i) => step === ':id' || step === parts[i])) continue;
    return { handler, id: decodeURIComponent(parts[steps.indexOf(':id')] ?? '') };
  }
  return undefined;
}
