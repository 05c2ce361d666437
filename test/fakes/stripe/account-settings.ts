import type { Stripe } from 'stripe';
import { type Call, find, type Handler, invalid } from './call.ts';
import { fits, flag, group, metadata, page, text, texts } from './params.ts';
import { newId } from './state.ts';

/** The parameters of each call in `SET_UP_ROUTES`, in the notation of `validate.ts`. */
export const SET_UP_PARAMETERS: Record<string, string> = {
  'GET /products/:id': 'expand[]',
  'POST /products/:id': 'active? description expand[] metadata* name',
  'GET /prices':
    'active? currency ending_before expand[] limit# lookup_keys[] product starting_after type=one_time|recurring',
  'POST /prices/:id':
    'active? expand[] lookup_key metadata* nickname tax_behavior=unspecified|exclusive|inclusive transfer_lookup_key?',
  'GET /tax/settings': 'expand[]',
  'GET /coupons/:id': 'expand[]',
  'GET /product_catalog/trial_offers': 'active? ending_before expand[] limit# starting_after',
  'POST /product_catalog/trial_offers/:id': 'active? expand[] nickname',
  'GET /webhook_endpoints': 'ending_before expand[] limit# starting_after',
  'POST /webhook_endpoints':
    'api_version connect? description enabled_events![] expand[] metadata* url!',
  'POST /webhook_endpoints/:id': 'description disabled? enabled_events[] expand[] metadata* url',
  'DELETE /webhook_endpoints/:id': '',
  'GET /payment_method_domains':
    'domain_name enabled? ending_before expand[] limit# starting_after',
  'POST /payment_method_domains': 'domain_name! enabled? expand[]',
  'POST /payment_method_domains/:id/validate': 'expand[]',
  'GET /payment_method_configurations': 'application ending_before expand[] limit# starting_after',
  'POST /payment_method_configurations/:id': ['sepa_debit', 'ideal', 'bancontact', 'link', 'paypal']
    .map((name) => `${name}{display_preference{preference=none|off|on}}`)
    .join(' '),
};

function updateProduct({ state, id, params, emit }: Call): Stripe.Product {
  const product = find(state.products, 'product', id);
  product.name = text(params, 'name') ?? product.name;
  if (params.active !== undefined) product.active = flag(params, 'active');
  product.metadata = metadata(params, product.metadata);
  emit('product.updated', product);
  return product;
}

/** https://docs.stripe.com/api/prices/list: by up to ten `lookup_keys`. */
function listPrices({ state, params }: Call) {
  const keys = texts(params, 'lookup_keys');
  if (keys.length > 10)
    throw invalid('You can specify up to 10 lookup_keys.', undefined, 'lookup_keys');
  return page(state.prices, '/v1/prices', params, ({ lookup_key, product, active }) => {
    if (keys.length > 0 && !keys.includes(lookup_key ?? '')) return false;
    return fits(params, { product, active: String(active) });
  });
}

function updatePrice({ state, id, params, emit }: Call): Stripe.Price {
  const price = find(state.prices, 'price', id);
  if (params.active !== undefined) price.active = flag(params, 'active');
  price.metadata = metadata(params, price.metadata);
  const behavior = text(params, 'tax_behavior') ?? price.tax_behavior;
  // "Once specified as either inclusive or exclusive, it cannot be changed." https://docs.stripe.com/api/prices/update
  if (price.tax_behavior !== 'unspecified' && price.tax_behavior !== behavior) {
    throw invalid('The tax behavior of a price cannot be changed.', undefined, 'tax_behavior');
  }
  price.tax_behavior = behavior as Stripe.Price.TaxBehavior;
  emit('price.updated', price);
  return price;
}

function updateTrialOffer({ state, id, params }: Call) {
  const offer = find(state.trial_offers, 'trial_offer', id);
  if (params.active !== undefined) offer.active = flag(params, 'active');
  return offer;
}

const withoutSecret = ({ secret: _, ...endpoint }: Stripe.WebhookEndpoint) => endpoint;

/** The secret is shown once, on creation. https://docs.stripe.com/api/webhook_endpoints/object */
function createEndpoint({ state, params, now }: Call) {
  if (Object.keys(state.webhook_endpoints).length >= 16) {
    throw invalid('You have reached the maximum of 16 webhook endpoints.');
  }
  const endpoint: Stripe.WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: text(params, 'api_version') ?? null,
    application: null,
    created: now,
    description: text(params, 'description') ?? null,
    enabled_events: texts(params, 'enabled_events'),
    livemode: false,
    metadata: metadata(params),
    secret: newId('whsec', 32),
    status: 'enabled',
    url: text(params, 'url') ?? '',
  };
  state.webhook_endpoints[endpoint.id] = endpoint;
  return endpoint;
}

function updateEndpoint({ state, id, params }: Call) {
  const endpoint = find(state.webhook_endpoints, 'webhook endpoint', id);
  if (params.enabled_events !== undefined) {
    endpoint.enabled_events = texts(params, 'enabled_events');
  }
  if (params.disabled !== undefined) {
    endpoint.status = flag(params, 'disabled') ? 'disabled' : 'enabled';
  }
  endpoint.metadata = metadata(params, endpoint.metadata);
  return withoutSecret(endpoint);
}

function deleteEndpoint({ state, id }: Call) {
  find(state.webhook_endpoints, 'webhook endpoint', id);
  delete state.webhook_endpoints[id];
  return { id, object: 'webhook_endpoint', deleted: true };
}

/** https://docs.stripe.com/api/payment_method_domains: a domain is registered once. */
function createDomain({ state, params, now }: Call) {
  const domain_name = text(params, 'domain_name') ?? '';
  const isTaken = Object.values(state.payment_method_domains).some(
    (each) => each.domain_name === domain_name,
  );
  if (isTaken) throw invalid('This domain is already registered.', undefined, 'domain_name');
  const status = { status: 'inactive' };
  const domain: Stripe.PaymentMethodDomain = {
    id: newId('pmd'),
    object: 'payment_method_domain',
    amazon_pay: status,
    apple_pay: {
      status: 'inactive',
      status_details: { error_message: `The association file of ${domain_name} was not read yet.` },
    },
    created: now,
    domain_name,
    enabled: true,
    google_pay: { status: 'active' },
    klarna: status,
    link: status,
    livemode: false,
    paypal: status,
  };
  state.payment_method_domains[domain.id] = domain;
  return domain;
}

function validateDomain({ state, id }: Call) {
  const domain = find(state.payment_method_domains, 'payment method domain', id);
  domain.apple_pay = { status: 'active' };
  return domain;
}

/**
 * https://docs.stripe.com/api/payment_method_configurations/object: "available" is true if the preference is on and
 * the capability active; PayPal's is active only after it was connected in the dashboard.
 */
function updateConfiguration({ state, id, params }: Call): Stripe.PaymentMethodConfiguration {
  const found = find(state.payment_method_configurations, 'payment method configuration', id);
  for (const name of Object.keys(params)) {
    const value = text(group(group(params, name), 'display_preference'), 'preference');
    const method = {
      available: value === 'on' && name !== 'paypal',
      display_preference: { overridable: null, preference: value, value },
    };
    Object.assign(found, { [name]: method });
  }
  return found;
}

/** The calls of `npm run setup -- stripe`. */
export const SET_UP_ROUTES: Record<string, Handler> = {
  'GET /products/:id': ({ state, id }) => find(state.products, 'product', id),
  'POST /products/:id': updateProduct,
  'GET /prices': listPrices,
  'POST /prices/:id': updatePrice,
  'GET /tax/settings': ({ state }) => find(state.tax_settings, 'settings', 'current'),
  'GET /coupons/:id': ({ state, id }) => find(state.coupons, 'coupon', id),
  'GET /product_catalog/trial_offers': ({ state, params }) =>
    page(state.trial_offers, '/v1/product_catalog/trial_offers', params),
  'POST /product_catalog/trial_offers/:id': updateTrialOffer,
  'GET /webhook_endpoints': ({ state, params }) => {
    const list = page(state.webhook_endpoints, '/v1/webhook_endpoints', params);
    return { ...list, data: list.data.map(withoutSecret) };
  },
  'POST /webhook_endpoints': createEndpoint,
  'POST /webhook_endpoints/:id': updateEndpoint,
  'DELETE /webhook_endpoints/:id': deleteEndpoint,
  'GET /payment_method_domains': ({ state, params }) =>
    page(state.payment_method_domains, '/v1/payment_method_domains', params, ({ domain_name }) =>
      fits(params, { domain_name }),
    ),
  'GET /payment_method_configurations': ({ state, params }) =>
    page(state.payment_method_configurations, '/v1/payment_method_configurations', params),
  'POST /payment_method_configurations/:id': updateConfiguration,
  'POST /payment_method_domains': createDomain,
  'POST /payment_method_domains/:id/validate': validateDomain,
};
