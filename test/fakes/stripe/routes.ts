import { matchRoute } from '../match-route.ts';
import { type Handler, unauthorized } from './call.ts';
import {
  createPrice,
  createProduct,
  createTrialOffer,
  retrievePrice,
  retrieveTrialOffer,
} from './catalog.ts';
import { answerChallenge } from './charge-card.ts';
import { listCharges } from './charges.ts';
import { createCustomer, retrieveCustomer, updateCustomer } from './customers.ts';
import { createCoupon } from './discounts.ts';
import { closeDispute, listDisputes, updateDispute } from './disputes.ts';
import { listInvoices, retrieveInvoice, updateInvoice, voidByCall } from './invoices.ts';
import type { Params } from './params.ts';
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  listPaymentIntents,
  retrievePaymentIntent,
} from './payment-intents.ts';
import {
  attachPaymentMethod,
  createPaymentMethod,
  createWalletMethod,
  retrievePaymentMethod,
} from './payment-methods.ts';
import { createRefund, listRefunds } from './refunds.ts';
import {
  cancelSubscription,
  listSubscriptions,
  retrieveSubscription,
  updateSubscription,
} from './subscription-changes.ts';
import { createSubscription } from './subscriptions.ts';

function keyOf(request: Request, params: Params): string {
  const header = request.headers.get('authorization') ?? '';
  if (/^bearer /i.test(header)) return header.slice(7).trim();
  if (/^basic /i.test(header)) return atob(header.slice(6)).split(':')[0] ?? '';
  // Stripe.js sends its publishable key in the form, which spares the browser a preflight.
  return typeof params.key === 'string' ? params.key : '';
}

/**
 * Who is calling; throws 401 without a test key. https://docs.stripe.com/api/authentication
 * @returns true for a publishable key: the caller is a browser
 */
export function authenticate(request: Request, params: Params): boolean {
  const key = keyOf(request, params);
  if (key === '') {
    throw unauthorized(
      'You did not provide an API key. You need to provide your API key in the Authorization header.',
    );
  }
  if (/^pk_test_\w+$/.test(key)) return true;
  if (/^[sr]k_test_\w+$/.test(key)) return false;
  throw unauthorized('Invalid API Key provided');
}

/**
 * Every call that the Worker, Stripe.js on our pages, the bank page or a contract test makes. The names
 * are also the keys of parameters.ts.
 */
export const ROUTES: Record<string, Handler> = {
  'POST /customers': createCustomer,
  'GET /customers/:id': retrieveCustomer,
  'POST /customers/:id': updateCustomer,
  'POST /payment_methods': createPaymentMethod,
  'GET /payment_methods/:id': retrievePaymentMethod,
  'POST /payment_methods/:id/attach': attachPaymentMethod,
  'POST /products': createProduct,
  'POST /prices': createPrice,
  'GET /prices/:id': retrievePrice,
  'POST /coupons': createCoupon,
  'POST /product_catalog/trial_offers': createTrialOffer,
  'GET /product_catalog/trial_offers/:id': retrieveTrialOffer,
  'POST /subscriptions': createSubscription,
  'GET /subscriptions': listSubscriptions,
  'GET /subscriptions/:id': retrieveSubscription,
  'POST /subscriptions/:id': updateSubscription,
  'DELETE /subscriptions/:id': cancelSubscription,
  'GET /invoices': listInvoices,
  'GET /invoices/:id': retrieveInvoice,
  'POST /invoices/:id': updateInvoice,
  'POST /invoices/:id/void': voidByCall,
  'POST /payment_intents': createPaymentIntent,
  'GET /payment_intents': listPaymentIntents,
  'GET /payment_intents/:id': retrievePaymentIntent,
  'POST /payment_intents/:id/confirm': confirmPaymentIntent,
  'POST /payment_intents/:id/cancel': cancelPaymentIntent,
  'POST /refunds': createRefund,
  'GET /refunds': listRefunds,
  'GET /charges': listCharges,
  'GET /disputes': listDisputes,
  'POST /disputes/:id': updateDispute,
  'POST /disputes/:id/close': closeDispute,
  'POST /__challenge/:id': answerChallenge,
  'POST /__wallet': createWalletMethod,
};

/** What a publishable key may call. https://docs.stripe.com/keys */
export const BROWSER_ROUTES = new Set([
  'POST /payment_methods',
  'GET /payment_intents/:id',
  'POST /__challenge/:id',
  'POST /__wallet',
]);

/** The route of a path such as `/v1/customers/cus_1`, whatever stands before `/v1`. */
export function routeOf(method: string, path: string) {
  const inner = /(?:\/v1)?(\/__\w+.*)|\/v1(\/.*)/.exec(path);
  return matchRoute(
    Object.keys(ROUTES),
    method,
    (inner?.[1] ?? inner?.[2] ?? '').replace(/\/$/, ''),
  );
}
