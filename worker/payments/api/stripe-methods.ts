import type { Context } from 'hono';
import * as v from 'valibot';
import { type BankMethod, bankMethods, bankMethodsFor } from '../../catalog/rules/bank-methods.ts';
import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import {
  type StripeWallet,
  stripeWallets,
  stripeWalletsFor,
} from '../../catalog/rules/stripe-wallets.ts';
import { siteOrigin } from '../../email/enqueue-email.ts';
import type { App } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import { isOneOf } from '../../platform/keys.ts';
import { type Minor, subtract } from '../../platform/types.ts';
import { gatewayTraits } from '../purchase/gateway-traits.ts';
import type { Acceptance, GatewayName } from '../purchase/state.ts';
import { sellsOffer } from './payment-routes.ts';

type Visit = Pick<Context<App>, 'env' | 'var'>;
type OfferedPlan = Pick<Plan, 'currency' | 'period' | 'introDays'>;

const hasRedirects = (c: Visit) =>
  gatewayNames.some((name) => gatewayTraits[name].redirects && sellsOffer(c, name));

/** The bank methods that a visitor may use for a plan now. */
export function offeredBankMethods(c: Visit, plan: OfferedPlan, amount: Minor): BankMethod[] {
  if (amount === 0 || !hasRedirects(c)) return [];
  const { bankMethods: enabled } = c.var.assignment.configuration;
  return bankMethodsFor({ enabled, country: c.var.visitor.country, plan, amount });
}

/** Stripe's own wallets, and redirecting ones, that a visitor may use for a plan now. */
export function offeredStripeWallets(c: Visit, plan: OfferedPlan, amount: Minor): StripeWallet[] {
  if (amount === 0 || !hasRedirects(c)) return [];
  const { stripeWallets: enabled } = c.var.assignment.configuration;
  const { country } = c.var.visitor;
  const merchantCountry = c.env.MERCHANT_COUNTRY ?? 'US';
  return stripeWalletsFor({ enabled, merchantCountry, country, plan, amount });
}

/** Return path for the bank's page: a path on this site without a query. */
export const returnPathSchema = v.nullish(v.pipe(v.string(), v.regex(/^(\/[\w-]+){1,4}$/)), null);

interface Requested {
  gateway: GatewayName;
  payment_method: string;
  payment_method_nonce: string | null;
  return_path: string | null;
}

const isBankMethod = isOneOf(bankMethods);
const isStripeWallet = isOneOf(stripeWallets);

interface StripeMethod {
  bank: BankMethod | null;
  wallet: StripeWallet | null;
  acceptance: Acceptance;
}

/** @throws Refusal when the method is not offered for the payment */
export function stripeMethodOf(
  c: Context<App>,
  plan: Plan,
  discount: Minor,
  requested: Requested,
): StripeMethod {
  const { payment_method: method, payment_method_nonce: nonce, gateway, return_path } = requested;
  const bank = nonce && isBankMethod(method) ? method : null;
  const wallet = nonce && isStripeWallet(method) ? method : null;
  const amount = subtract(plan.today, discount);
  const isOffered =
    !(bank ?? wallet) ||
    (gatewayTraits[gateway].redirects &&
      (bank
        ? offeredBankMethods(c, plan, amount).includes(bank)
        : wallet !== null && offeredStripeWallets(c, plan, amount).includes(wallet)));
  if (!isOffered) throw new Refusal('method_not_offered');
  return {
    bank,
    wallet,
    acceptance: {
      // In local development Cloudflare sets no header.
      ip: c.req.header('cf-connecting-ip') ?? '127.0.0.1',
      userAgent: c.req.header('user-agent')?.slice(0, 500) || 'unknown',
      returnUrl: new URL(return_path ?? '/', siteOrigin(c.env, c.req.url)).href,
    },
  };
}
