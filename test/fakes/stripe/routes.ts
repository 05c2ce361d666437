import { matchRoute } from '../match-route.ts';
import { SET_UP_ROUTES } from './account-settings.ts';
import * as balance from './balance.ts';
import { type Handler, unauthorized } from './call.ts';
import * as catalog from './catalog.ts';
import * as challenge from './charge-card.ts';
import * as charges from './charges.ts';
import * as customers from './customers.ts';
import * as discounts from './discounts.ts';
import * as collection from './invoice-collection.ts';
import * as invoices from './invoices.ts';
import type { Params } from './params.ts';
import * as intents from './payment-intents.ts';
import { previewInvoice } from './prorations.ts';
import * as moneyBack from './refunds-and-disputes.ts';
import * as schedules from './schedules.ts';
import * as setups from './setup-intents.ts';
import * as changes from './subscription-changes.ts';
import * as subscriptions from './subscriptions.ts';
import * as tax from './tax.ts';

function keyOf(request: Request, params: Params): string {
  const header = request.headers.get('authorization') ?? '';
  if (/^bearer /i.test(header)) return header.slice(7).trim();
  if (/^basic /i.test(header)) return atob(header.slice(6)).split(':')[0] ?? '';
  // Stripe.js sends its publishable key in the form, which avoids a preflight.
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
 * Every call made by the Worker, `npm run setup`, Stripe.js on our pages, the bank page or a contract test. The names
 * are also the keys of PARAMETERS in validate.ts.
 */
export const ROUTES: Record<string, Handler> = {
  'POST /customers': customers.createCustomer,
  'GET /customers/:id': customers.retrieveCustomer,
  'POST /customers/:id': customers.updateCustomer,
  'POST /payment_methods': customers.createPaymentMethod,
  'GET /payment_methods/:id': customers.retrievePaymentMethod,
  'POST /payment_methods/:id/attach': customers.attachPaymentMethod,
  'POST /products': catalog.createProduct,
  'POST /prices': catalog.createPrice,
  'GET /prices/:id': catalog.retrievePrice,
  'POST /tax/calculations': tax.createCalculation,
  'POST /coupons': discounts.createCoupon,
  'POST /product_catalog/trial_offers': catalog.createTrialOffer,
  'GET /product_catalog/trial_offers/:id': catalog.retrieveTrialOffer,
  'POST /subscriptions': subscriptions.createSubscription,
  'GET /subscriptions': changes.listSubscriptions,
  'GET /subscriptions/:id': changes.retrieveSubscription,
  'POST /subscriptions/:id': changes.updateSubscription,
  'DELETE /subscriptions/:id': changes.cancelSubscription,
  'POST /subscription_schedules': schedules.createSchedule,
  'GET /subscription_schedules/:id': schedules.retrieveSchedule,
  'POST /subscription_schedules/:id': schedules.updateSchedule,
  'POST /subscription_schedules/:id/release': schedules.releaseByCall,
  'GET /invoices': invoices.listInvoices,
  'POST /invoices/create_preview': previewInvoice,
  'GET /invoices/:id': invoices.retrieveInvoice,
  'POST /invoices/:id': invoices.updateInvoice,
  'POST /invoices/:id/void': invoices.voidByCall,
  'POST /invoices/:id/mark_uncollectible': invoices.markUncollectible,
  'POST /invoices/:id/pay': collection.payByCall,
  'POST /setup_intents': setups.createSetupIntent,
  'GET /setup_intents/:id': setups.retrieveSetupIntent,
  'POST /payment_intents': intents.createPaymentIntent,
  'GET /payment_intents': intents.listPaymentIntents,
  'GET /payment_intents/:id': intents.retrievePaymentIntent,
  'POST /payment_intents/:id/confirm': intents.confirmPaymentIntent,
  'POST /payment_intents/:id/cancel': intents.cancelPaymentIntent,
  'POST /refunds': moneyBack.createRefund,
  'GET /refunds': moneyBack.listRefunds,
  'GET /charges': charges.listCharges,
  'GET /balance_transactions': balance.listBalanceTransactions,
  'GET /payouts': balance.listPayouts,
  'GET /events': balance.listEvents,
  'GET /disputes': moneyBack.listDisputes,
  'GET /radar/early_fraud_warnings': moneyBack.listFraudWarnings,
  'POST /disputes/:id': moneyBack.updateDispute,
  'POST /disputes/:id/close': moneyBack.closeDispute,
  'POST /__challenge/:id': challenge.answerChallenge,
  'POST /__wallet': customers.createWalletMethod,
  ...SET_UP_ROUTES,
};

/** The calls allowed with a publishable key. https://docs.stripe.com/keys */
export const BROWSER_ROUTES = new Set([
  'POST /payment_methods',
  'GET /payment_intents/:id',
  'POST /payment_intents/:id/confirm',
  'GET /setup_intents/:id',
  'POST /__challenge/:id',
  'POST /__wallet',
]);

/** The route of a path such as `/v1/customers/cus_1`, with any prefix before `/v1`. */
export function routeOf(method: string, path: string) {
  const inner = /(?:\/v1)?(\/__\w+.*)|\/v1(\/.*)/.exec(path);
  return matchRoute(
    Object.keys(ROUTES),
    method,
    (inner?.[1] ?? inner?.[2] ?? '').replace(/\/$/, ''),
  );
}
