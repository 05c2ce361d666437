import type { Stripe } from 'stripe';
import { type Call, find, invalid } from './call.ts';

import { flag, group, metadata, type Params, text, textOrNull, texts, whole } from './params.ts';

import { decimal, newId, type StripeState } from './state.ts';

const active = (params: Params) => (params.active === undefined ? true : flag(params, 'active'));

/** A product under an id of ours, as one made in the dashboard; nothing happens if it exists. */
export function seedProduct(id: string, name: string, state: StripeState): void {
  if (state.products[id]) return;
  createProduct({
    id: '',
    params: { id, name },
    state,
    now: 0,
    browser: false,
    settings: { unpaidTrialStatus: 'incomplete', retryDays: [], afterRetries: 'canceled' },
    emit: () => undefined,
  });
}

export function createProduct(call: Call): Stripe.Product {
  const { params, state, now } = call;
  const id = text(params, 'id') ?? newId('prod', 14);
  if (state.products[id]) throw invalid('Product already exists.', 'resource_already_exists', 'id');
  const product: Stripe.Product = {
    id,
    object: 'product',
    active: active(params),
    created: now,
    default_price: null,
    description: textOrNull(params, 'description'),
    images: texts(params, 'images'),
    livemode: false,
    marketing_features: [],
    metadata: metadata(params),
    name: text(params, 'name') ?? '',
    package_dimensions: null,
    shippable: null,
    statement_descriptor: textOrNull(params, 'statement_descriptor'),
    tax_code: textOrNull(params, 'tax_code'),
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  };
  state.products[id] = product;
  call.emit('product.created', product);
  return product;
}

/** A stored price from the parameters of `POST /prices` or from an inline `price_data`. */
export function addPrice(
  params: Params,
  state: StripeState,
  now: number,
  param = '',
): Stripe.Price {
  const name = (key: string) => (param ? `${param}[${key}]` : key);
  const product = text(params, 'product');
  if (!product) {
    throw invalid(
      `Missing required param: ${name('product')}.`,
      'parameter_missing',
      name('product'),
    );
  }
  find(state.products, 'product', product, name('product'));
  const recurring = typeof params.recurring === 'object' ? group(params, 'recurring') : null;
  const amount = whole(params, 'unit_amount', Number(text(params, 'unit_amount_decimal') ?? 0));
  const price: Stripe.Price = {
    id: newId('price'),
    object: 'price',
    active: active(params),
    billing_scheme: 'per_unit',
    created: now,
    currency: (text(params, 'currency') ?? '').toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: textOrNull(params, 'lookup_key'),
    metadata: metadata(params),
    nickname: textOrNull(params, 'nickname'),
    product,
    recurring: recurring && {
      interval: text(recurring, 'interval') as Stripe.Price.Recurring['interval'],
      interval_count: whole(recurring, 'interval_count', 1),
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: amount,
    unit_amount_decimal: decimal(amount),
  };
  state.prices[price.id] = price;
  return price;
}

export function createPrice(call: Call): Stripe.Price {
  const { params, state, now } = call;
  const nested = group(params, 'product_data');
  const product =
    typeof params.product_data === 'object'
      ? createProduct({ ...call, params: nested }).id
      : params.product;
  const price = addPrice({ ...params, ...(product ? { product } : {}) }, state, now);
  call.emit('price.created', price);
  return price;
}

/** POST /product_catalog/trial_offers; https://docs.stripe.com/api/product-catalog/trial-offer */
export function createTrialOffer({ params, state }: Call): Stripe.ProductCatalog.TrialOffer {
  const after = text(group(group(params, 'end_behavior'), 'transition'), 'price') ?? '';
  const price = text(params, 'price') ?? '';
  find(state.prices, 'price', price, 'price');
  find(state.prices, 'price', after, 'end_behavior[transition][price]');
  const offer: Stripe.ProductCatalog.TrialOffer = {
    id: newId('to'),
    object: 'product_catalog.trial_offer',
    active: active(params),
    duration: {
      relative: {
        iterations: whole(group(group(params, 'duration'), 'relative'), 'iterations', 1),
      },
      type: 'relative',
    },
    end_behavior: { transition: { price: after }, type: 'transition' },
    livemode: false,
    nickname: textOrNull(params, 'nickname'),
    price,
  };
  state.trial_offers[offer.id] = offer;
  return offer;
}

export const retrievePrice = ({ state, id }: Call) => find(state.prices, 'price', id);

export const retrieveTrialOffer = ({ state, id }: Call) =>
  find(state.trial_offers, 'trial_offer', id);
