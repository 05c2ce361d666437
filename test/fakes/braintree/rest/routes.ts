import type { World } from '../call.ts';
import { clientTokenFor } from '../client-token.ts';
import { discountFields } from '../discounts.ts';
import { Invalid, NotThere } from '../errors.ts';
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
type Handler = (world: World, id: string, body: Record<string, Fields>) => Answer;

function saleNamed({ state }: World, id: string): Transaction {
  const sale = state.transactions[id];
  if (!sale) throw new NotThere(id);
  return sale;
}

const customer: Handler = (world, id) => {
  const found = world.state.customers[id];
  if (!found) throw new NotThere(id);
  return ['customer', customerFields(world, found)];
};

const createCustomer: Handler = (world, _id, body) => {
  const fields = body.customer ?? {};
  const id = field(fields, 'id') ?? newId();
  if (world.state.customers[id]) {
    throw new Invalid('91609', 'id', 'Customer ID has already been taken.', 'customer');
  }
  const made = { id, email: field(fields, 'email') ?? '', createdAt: world.now() };
  world.state.customers[id] = made;
  return ['customer', customerFields(world, made)];
};

const updateCustomer: Handler = (world, id, body) => {
  const found = world.state.customers[id];
  if (!found) throw new NotThere(id);
  found.email = field(body.customer ?? {}, 'email') ?? found.email;
  return ['customer', customerFields(world, found)];
};

const creditFields = (
  world: World,
  of: Transaction,
  { id, amount, orderId, createdAt }: Refund,
) => ({
  ...saleFields(world, {
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
function creditOrSale(world: World, id: string) {
  const refund = world.state.refunds[id];
  return refund
    ? creditFields(world, saleNamed(world, refund.transaction), refund)
    : saleFields(world, saleNamed(world, id));
}

const sale: Handler = (world, _id, body) => {
  const fields = body.transaction ?? {};
  const options = (fields.options ?? {}) as Fields;
  const made = sell(world, {
    nonce: field(fields, 'payment_method_nonce') ?? null,
    token: field(fields, 'payment_method_token') ?? null,
    amount: minor(field(fields, 'amount') ?? '0'),
    merchantAccount: field(fields, 'merchant_account_id') ?? 'funnel_usd',
    orderId: field(fields, 'order_id') ?? null,
    customer: field(fields, 'customer_id') ?? null,
    vaultOnSuccess: field(options, 'store_in_vault_on_success') === 'true',
  });
  return ['transaction', saleFields(world, made)];
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
  'POST /subscriptions': (world, _id, body) => {
    const made = createSubscription(world, body.subscription ?? {});
    return ['subscription', subscriptionFields(world, made)];
  },
  'GET /subscriptions/:id': (world, id) => [
    'subscription',
    subscriptionFields(world, findSubscription(world, id)),
  ],
  'PUT /subscriptions/:id/cancel': (world, id) => [
    'subscription',
    subscriptionFields(world, cancelSubscription(world, id)),
  ],
  'POST /transactions': sale,
  'GET /transactions/:id': (world, id) => ['transaction', creditOrSale(world, id)],
  'PUT /transactions/:id/void': (world, id) => [
    'transaction',
    saleFields(world, voidTransaction(saleNamed(world, id))),
  ],
  'POST /transactions/:id/refund': (world, id, body) => {
    const amount = field(body.transaction ?? {}, 'amount');
    const of = saleNamed(world, id);
    const orderId = field(body.transaction ?? {}, 'order_id');
    const made = refund(world, of, amount === undefined ? undefined : minor(amount), orderId);
    return ['transaction', creditFields(world, of, made)];
  },
  'GET /payment_method_nonces/:id': (world, id) => [
    'payment-method-nonce',
    nonceFields(nonceNamed(world, id)),
  ],
  'GET /payment_methods/any/:id': (world, id) => {
    const found = world.state.methods[id];
    if (!found) throw new NotThere(id);
    return [elementOf(found), methodFields(found)];
  },
  'POST /payment_methods/:id/nonces': (world, id) => {
    const method = world.state.methods[id];
    if (!method) throw new NotThere(id);
    return ['payment-method-nonce', nonceFields(makeNonce(world, method.card, { token: id }))];
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
