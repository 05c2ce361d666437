import type { Stripe } from 'stripe';
import { type Call, find, invalid } from './call.ts';

import { flag, group, metadata, type Params, text, textOrNull, whole } from './params.ts';

import { decimal, newId, nulls, type StripeState } from './state.ts';

const active = (params: Params) => (params.active === undefined ? true : flag(params, 'active'));

/** A product with our id, as if created in the dashboard; nothing happens if it exists. */
export function seedProduct(id: string, name: string, state: StripeState): void {
  if (state.products[id]) return;
  createProduct({
    id: '',
    params: { id, name },
    state,
    now: 0,
    ahead: 0,
    browser: false,
    settings: {
      unpaidTrialStatus: 'incomplete',
      afterRetries: 'canceled',
      afterFailure: 'past_due',
    },
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
    description: textOrNull(params, 'description'),
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: metadata(params),
    name: text(params, 'name') ?? '',
    type: 'service',
    updated: now,
    ...nulls('package_dimensions shippable tax_details url'),
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
  const lookup_key = textOrNull(params, 'lookup_key');
  const holder =
    lookup_key && Object.values(state.prices).find((each) => each.lookup_key === lookup_key);
  if (holder && !flag(params, 'transfer_lookup_key')) {
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key.`,
      'resource_already_exists',
      'lookup_key',
    );
  }
  if (holder) holder.lookup_key = null;
  const unit_amount = whole(params, 'unit_amount', 0);
  const recurring = typeof params.recurring === 'object' ? group(params, 'recurring') : null;
  const price: Stripe.Price = {
    id: newId('price'),
    object: 'price',
    active: active(params),
    billing_scheme: 'per_unit',
    created: now,
    currency: (text(params, 'currency') ?? '').toLowerCase(),
    livemode: false,
    lookup_key,
    metadata: metadata(params),
    nickname: textOrNull(params, 'nickname'),
    product,
    tax_behavior: text(params, 'tax_behavior') ?? 'unspecified',
    recurring: recurring && {
      interval: (text(recurring, 'interval') ?? 'month') as Stripe.Price.Recurring.Interval,
      interval_count: whole(recurring, 'interval_count', 1),
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    type: recurring ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: decimal(unit_amount),
    ...nulls('custom_unit_amount tiers_mode transform_quantity'),
  };
  state.prices[price.id] = price;
  return price;
}

/** A price with its older form, for an item of a subscription. https://docs.stripe.com/api/plans/object */
export function priceAndPlan(price: Stripe.Price): { price: Stripe.Price; plan: Stripe.Plan } {
  const { id, active, billing_scheme, created, currency, livemode, metadata, product } = price;
  const { interval = 'month', interval_count = 1, usage_type = 'licensed' } = price.recurring ?? {};
  const plan: Stripe.Plan = {
    ...{ id, active, billing_scheme, created, currency, livemode, metadata, product },
    ...{ interval, interval_count, usage_type },
    ...nulls('meter tiers_mode transform_usage trial_period_days'),
    object: 'plan',
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    nickname: price.nickname,
  };
  return { price, plan };
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
