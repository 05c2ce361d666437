import { currencies, isBraintreeCurrency } from '../../../../worker/catalog/rules/currencies.ts';
import { matchRoute } from '../../match-route.ts';
import { refund, voidTransaction } from '../refunds.ts';
import { sell } from '../sale.ts';
import {
  currencyOf,
  Invalid,
  minor,
  NotFound,
  NotImplemented,
  newId,
  type Refund,
  type Sandbox,
  type Transaction,
} from '../state.ts';

import {
  cancelSubscription,
  createPlan,
  createSubscription,
  discountFields,
  type Fields,
  field,
  findSubscription,
  planFields,
} from '../subscriptions.ts';

import { makeNonce, nonceNamed } from '../vault.ts';
import {
  createMethod,
  findMethod,
  retryCharge,
  Unsuccessful,
  updateSubscription,
} from './renewal-cards.ts';
import {
  customerFields,
  disputeFields,
  methodFields,
  nonceFields,
  saleFields,
  subscriptionFields,
} from './views.ts';

/** The name of the response's element, and its content. */
type Answer = [element: string, fields: object];
type Handler = (sandbox: Sandbox, id: string, body: Record<string, Fields>, page: number) => Answer;
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
  const newCustomer = { id, email: field(fields, 'email') ?? '', createdAt: sandbox.now() };
  sandbox.state.customers[id] = newCustomer;
  return ['customer', customerFields(sandbox, newCustomer)];
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
    status: settledAt(sandbox, id) === null ? 'SUBMITTED_FOR_SETTLEMENT' : 'SETTLED',
  }),
  type: 'credit',
  'refunded-transaction-id': of.id,
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
  const renewed = field(fields, 'subscription_id');
  if (renewed) return ['transaction', saleFields(sandbox, retryCharge(sandbox, renewed, fields))];
  const merchantAccount = field(fields, 'merchant_account_id') ?? 'funnel_usd';
  const newSale = sell(sandbox, {
    nonce: field(fields, 'payment_method_nonce') ?? null,
    token: field(fields, 'payment_method_token') ?? null,
    amount: minor(field(fields, 'amount') ?? '0', currencyOf(merchantAccount)),
    merchantAccount,
    orderId: field(fields, 'order_id') ?? null,
    customer: field(fields, 'customer_id') ?? null,
    vaultOnSuccess: field(options, 'store_in_vault_on_success') === 'true',
  });
  return ['transaction', saleFields(sandbox, newSale)];
};

const dayMs = 24 * 60 * 60 * 1000;

/** A sale or a refund settles after a day; ms since 1970, null until then. */
function settledAt({ state, now }: Sandbox, id: string): number | null {
  const one = state.transactions[id] ?? state.refunds[id];
  const isSale = id in state.transactions;
  if (!one || (isSale && state.transactions[id]?.status !== 'SETTLED')) return null;
  const at = one.createdAt + dayMs;
  return at <= now() ? at : null;
}

interface Criteria {
  ids?: string[];
  settled_at?: { min?: string; max?: string };
}

/**
 * developer.paypal.com/braintree/docs/reference/request/transaction/search: "settledAt … a range". Refunds
 * are transactions too. Times are whole seconds, and both ends are included.
 */
function searched(sandbox: Sandbox, body: Record<string, Fields>): string[] {
  const { ids, settled_at: settled, ...others } = (body.search ?? {}) as Criteria;
  if (Object.keys(others).length > 0) throw new NotImplemented(Object.keys(others).join());
  const { transactions, refunds } = sandbox.state;
  const all = [...Object.keys(transactions), ...Object.keys(refunds)];
  const wanted = ids ? all.filter((id) => ids.includes(id)) : all;
  if (!settled) return wanted;
  const [min, max] = [Date.parse(settled.min ?? ''), Date.parse(settled.max ?? '')];
  return wanted.filter((id) => {
    const at = settledAt(sandbox, id);
    if (at === null) return false;
    const second = at - (at % 1000);
    return !(second < min) && !(second > max);
  });
}

const searchPage = 50;

const searchIds: Handler = (sandbox, _id, body) => [
  'search-results',
  {
    'page-size': searchPage,
    ids: { item: 'item', list: searched(sandbox, body) as unknown as object[] },
  },
];

/** A page of the ids found by the first search: "type=collection", with its items beside the paging. */
const searchTransactions: Handler = (sandbox, _id, body) => {
  const ids = searched(sandbox, body);
  if (ids.length > searchPage) throw new NotImplemented(`${ids.length} transactions in a page`);
  return [
    'credit-card-transactions',
    {
      collection: 'transaction',
      list: ids.map((id) => creditOrSale(sandbox, id)),
      pageSize: searchPage,
    },
  ];
};
/** developer.paypal.com/braintree/docs/reference/request/dispute/search; pages in the official client's format. */
const searchDisputes: Handler = (sandbox, _id, body, page) => {
  const { status, received_date, ...others } = (body.search ?? {}) as {
    status?: string[];
    received_date?: { min?: string };
  };
  if (Object.keys(others).length > 0) throw new NotImplemented(Object.keys(others).join());
  const all = Object.values(sandbox.state.disputes)
    .filter((one) => status?.includes(one.status) ?? true)
    .map((one) => disputeFields(sandbox, one))
    .filter((one) => String(one['received-date']) >= (received_date?.min ?? ''));
  const list = all.slice((page - 1) * searchPage, page * searchPage);
  const total = all.length;
  return ['disputes', { collection: 'dispute', list, pageSize: searchPage, page, total }];
};

/** Currencies of the merchant accounts. */
const merchantAccounts = new Map(
  currencies.filter(isBraintreeCurrency).map((name) => [`funnel_${name.toLowerCase()}`, name]),
);

/** Every call that the fake supports, after `/merchants/:merchant`. */
const routes: Record<string, Handler> = {
  'POST /customers': createCustomer,
  'GET /customers/:id': customer,
  'PUT /customers/:id': updateCustomer,
  'GET /plans': ({ plans }) => ['plans', { item: 'plan', list: plans.map(planFields) }],
  'POST /plans': (sandbox, _id, body) => ['plan', planFields(createPlan(sandbox, body.plan ?? {}))],
  'GET /discounts': ({ discounts }) => [
    'discounts',
    { item: 'discount', list: discounts.map((one) => discountFields(one)) },
  ],
  'GET /merchant_accounts/:id': (_sandbox, id) => {
    const currency = merchantAccounts.get(id);
    if (!currency) throw new NotFound(id);
    const fields = {
      id,
      'currency-iso-code': currency,
      default: id === 'funnel_usd',
      status: 'active',
    };
    return ['merchant-account', fields];
  },
  'POST /subscriptions': (sandbox, _id, body) => {
    const created = createSubscription(sandbox, body.subscription ?? {});
    return ['subscription', subscriptionFields(sandbox, created)];
  },
  'GET /subscriptions/:id': (sandbox, id) => [
    'subscription',
    subscriptionFields(sandbox, findSubscription(sandbox, id)),
  ],
  'PUT /subscriptions/:id': (sandbox, id, body) => [
    'subscription',
    subscriptionFields(sandbox, updateSubscription(sandbox, id, body.subscription ?? {})),
  ],
  'POST /payment_methods': (sandbox, _id, body) =>
    methodFields(createMethod(sandbox, body.payment_method ?? {})),
  'GET /payment_methods/any/:id': (sandbox, id) => methodFields(findMethod(sandbox, id)),
  'PUT /subscriptions/:id/cancel': (sandbox, id) => [
    'subscription',
    subscriptionFields(sandbox, cancelSubscription(sandbox, id)),
  ],
  'POST /disputes/advanced_search': searchDisputes,
  'POST /transactions': sale,
  'POST /transactions/advanced_search_ids': searchIds,
  'POST /transactions/advanced_search': searchTransactions,
  'GET /transactions/:id': (sandbox, id) => ['transaction', creditOrSale(sandbox, id)],
  'PUT /transactions/:id/void': (sandbox, id) => [
    'transaction',
    saleFields(sandbox, voidTransaction(saleNamed(sandbox, id))),
  ],
  'POST /transactions/:id/refund': (sandbox, id, body) => {
    const amount = field(body.transaction ?? {}, 'amount');
    const of = saleNamed(sandbox, id);
    const orderId = field(body.transaction ?? {}, 'order_id');
    const newRefund = refund(
      sandbox,
      of,
      amount === undefined ? undefined : minor(amount, of.currency),
      orderId,
    );
    return ['transaction', creditFields(sandbox, of, newRefund)];
  },
  'GET /payment_method_nonces/:id': (sandbox, id) => [
    'payment-method-nonce',
    nonceFields(nonceNamed(sandbox, id)),
  ],
  'POST /payment_methods/:id/nonces': (sandbox, id) => {
    const method = sandbox.state.methods[id];
    if (!method) throw new NotFound(id);
    return ['payment-method-nonce', nonceFields(makeNonce(sandbox, method.card, { token: id }))];
  },
};

/** A list in Braintree's XML, whose elements have this name. */
export interface Items {
  item: string;
  list: object[];
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const isItems = (value: object): value is Items => 'item' in value && 'list' in value;

/** A page of a search. */
interface Collection {
  collection: string;
  list: object[];
  pageSize: number;
  page?: number;
  total?: number;
}
const isCollection = (value: object): value is Collection => 'collection' in value;

/** One element with Braintree's type attribute. Names are dashed. */
function toXml(name: string, value: unknown): string {
  if (value === null || value === undefined) return `<${name} nil="true"/>`;
  if (typeof value === 'number') return `<${name} type="integer">${value}</${name}>`;
  if (typeof value === 'boolean') return `<${name} type="boolean">${value}</${name}>`;
  if (value instanceof Date) {
    return `<${name} type="datetime">${value.toISOString().slice(0, 19)}Z</${name}>`;
  }
  if (typeof value !== 'object') return `<${name}>${escaped(String(value))}</${name}>`;
  if (isItems(value)) {
    const items = value.list.map((one) => toXml(value.item, one));
    return `<${name} type="array">${items.join('')}</${name}>`;
  }
  if (isCollection(value)) {
    const paging = [
      toXml('current-page-number', value.page ?? 1),
      toXml('page-size', value.pageSize),
      toXml('total-items', value.total ?? value.list.length),
    ];
    const items = value.list.map((one) => toXml(value.collection, one));
    return `<${name} type="collection">${[...paging, ...items].join('')}</${name}>`;
  }
  const inner = Object.entries(value).map(([key, one]) => toXml(key, one));
  return `<${name}>${inner.join('')}</${name}>`;
}

export const document = (name: string, value: object): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(name, value)}`;

const xml = (status: number, text: string) =>
  new Response(text, { status, headers: { 'content-type': 'application/xml; charset=utf-8' } });
const refusal = ({ code, field, message, of }: Invalid) =>
  document('api-error-response', {
    errors: {
      errors: { item: 'error', list: [] },
      [of]: {
        errors: { item: 'error', list: [{ code, attribute: field.replaceAll('-', '_'), message }] },
      },
    },
    message,
  });

const unsuccessful = ({ message, fields }: Unsuccessful) =>
  document('api-error-response', {
    errors: { errors: { item: 'error', list: [] } },
    message,
    ...fields,
  });

/** Responds to one REST call. @param path after `/merchants/:merchant` */
export async function answerRest(
  sandbox: Sandbox,
  path: string,
  request: Request,
): Promise<Response> {
  const route = matchRoute(Object.keys(routes), request.method, path);
  const handler = routes[route?.name ?? ''];
  if (!route || !handler) return new Response(`no call ${request.method} ${path}`, { status: 501 });
  const text = await request.text();
  try {
    const body = text && text !== 'null' ? JSON.parse(text) : {};
    const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
    const [element, fields] = handler(sandbox, route.id, body, page);
    const isCreated = request.method === 'POST' && !path.includes('advanced_search');
    return xml(isCreated ? 201 : 200, document(element, fields));
  } catch (error) {
    if (error instanceof NotFound) return xml(404, '');
    if (error instanceof Invalid) return xml(422, refusal(error));
    if (error instanceof Unsuccessful) return xml(422, unsuccessful(error));
    if (error instanceof NotImplemented) return new Response(error.message, { status: 501 });
    return new Response(error instanceof Error ? error.message : 'error', { status: 500 });
  }
}
