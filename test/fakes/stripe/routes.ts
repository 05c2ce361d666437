import type { Handler } from './call.ts';
import * as catalog from './catalog.ts';
import { answerChallenge } from './challenge.ts';
import * as charges from './charges.ts';
import * as coupons from './coupons.ts';
import * as customers from './customers.ts';
import * as disputes from './disputes.ts';
import * as invoices from './invoices.ts';
import * as payments from './payment-intents.ts';
import * as methods from './payment-methods.ts';
import * as refunds from './refunds.ts';
import * as changes from './subscription-changes.ts';
import { createSubscription } from './subscriptions.ts';
import { voidByCall } from './voiding.ts';
import { createWalletMethod } from './wallets.ts';

/**
 * Every call that the Worker, Stripe.js on our pages, the bank page or a contract test makes. The names
 * are also the keys of parameters.ts.
 */
export const ROUTES: Record<string, Handler> = {
  'POST /customers': customers.createCustomer,
  'GET /customers/:id': customers.retrieveCustomer,
  'POST /customers/:id': customers.updateCustomer,
  'DELETE /customers/:id': customers.deleteCustomer,
  'POST /payment_methods': methods.createPaymentMethod,
  'GET /payment_methods/:id': methods.retrievePaymentMethod,
  'POST /payment_methods/:id/attach': methods.attachPaymentMethod,
  'POST /products': catalog.createProduct,
  'POST /prices': catalog.createPrice,
  'GET /prices/:id': catalog.retrievePrice,
  'POST /coupons': coupons.createCoupon,
  'POST /product_catalog/trial_offers': catalog.createTrialOffer,
  'GET /product_catalog/trial_offers/:id': catalog.retrieveTrialOffer,
  'POST /subscriptions': createSubscription,
  'GET /subscriptions': changes.listSubscriptions,
  'GET /subscriptions/:id': changes.retrieveSubscription,
  'POST /subscriptions/:id': changes.updateSubscription,
  'DELETE /subscriptions/:id': changes.cancelSubscription,
  'GET /invoices': invoices.listInvoices,
  'GET /invoices/:id': invoices.retrieveInvoice,
  'POST /invoices/:id': invoices.updateInvoice,
  'POST /invoices/:id/void': voidByCall,
  'POST /payment_intents': payments.createPaymentIntent,
  'GET /payment_intents': payments.listPaymentIntents,
  'GET /payment_intents/:id': payments.retrievePaymentIntent,
  'POST /payment_intents/:id/confirm': payments.confirmPaymentIntent,
  'POST /payment_intents/:id/cancel': payments.cancelPaymentIntent,
  'POST /refunds': refunds.createRefund,
  'GET /refunds': refunds.listRefunds,
  'GET /charges': charges.listCharges,
  'GET /disputes': disputes.listDisputes,
  'POST /disputes/:id': disputes.updateDispute,
  'POST /disputes/:id/close': disputes.closeDispute,
  'POST /__challenge/:id': answerChallenge,
  'POST /__wallet': createWalletMethod,
};

/** What a publishable key may call. https://docs.stripe.com/keys */
export const BROWSER_ROUTES = new Set([
  'POST /payment_methods',
  'GET /payment_intents/:id',
  'POST /payment_intents/:id/confirm',
  'POST /__challenge/:id',
  'POST /__wallet',
]);

/** The route of a path such as `/v1/customers/cus_1`, whatever stands before `/v1`. */
export function routeOf(method: string, path: string): { name: string; id: string } | undefined {
  const inner = /(?:\/v1)?(\/__\w+.*)|\/v1(\/.*)/.exec(path);
  const parts = (inner?.[1] ?? inner?.[2] ?? '').replace(/\/$/, '').split('/').slice(1);
  const verb = method === 'HEAD' ? 'GET' : method;
  for (const name of Object.keys(ROUTES)) {
    const [wanted, pattern = ''] = name.split(' ');
    const steps = pattern.split('/').slice(1);
    if (wanted !== verb || steps.length !== parts.length) continue;
    if (!steps.every((step, i) => step === ':id' || step === parts[i])) continue;
    return { name, id: decodeURIComponent(parts[steps.indexOf(':id')] ?? '') };
  }
  return undefined;
}
