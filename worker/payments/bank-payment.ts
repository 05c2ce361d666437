import type { Context } from 'hono';
import * as v from 'valibot';
import { type Plan, planById } from '../catalog/plans.ts';
import { type BankMethod, bankMethods, bankMethodsFor } from '../catalog/rules/bank-methods.ts';
import { siteOrigin } from '../email/enqueue-email.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { isConfigured } from './gateways/index.ts';
import type { Acceptance } from './rules/attempt.ts';

/** What a visitor may pay a plan with at their bank now. */
export function offeredBankMethods(
  c: Pick<Context<App>, 'env' | 'var'>,
  plan: Pick<Plan, 'currency' | 'period' | 'trialDays'>,
  amount: number,
): BankMethod[] {
  if (!isConfigured('stripe', c.env)) return [];
  const { bankMethods: enabled } = c.var.assignment.configuration;
  return bankMethodsFor({ enabled, country: c.var.visitor.country, plan, amount });
}

/** Where the bank's page leads back to: a path of ours without a query. */
export const returnPathSchema = v.nullish(v.pipe(v.string(), v.regex(/^(\/[\w-]+){1,4}$/)), null);

interface Requested {
  gateway: string;
  payment_method: string;
  payment_method_nonce: string | null;
  return_path: string | null;
}

const isBankMethod = (name: string): name is BankMethod =>
  (bankMethods as readonly string[]).includes(name);

/** @throws Refusal when the method is not offered for the payment */
export function bankPaymentOf(
  c: Context<App>,
  planId: string,
  discount: number,
  requested: Requested,
): { bank: BankMethod; acceptance: Acceptance } | null {
  const { payment_method: bank, payment_method_nonce: nonce, gateway, return_path } = requested;
  const plan = planById(planId);
  if (!plan || !nonce || !isBankMethod(bank)) return null;
  const offered = offeredBankMethods(c, plan, plan.today - discount);
  if (gateway !== 'stripe' || !offered.includes(bank)) throw new Refusal('method_not_offered');
  return {
    bank,
    acceptance: {
      // Cloudflare sets no header on a development machine.
      ip: c.req.header('cf-connecting-ip') ?? '127.0.0.1',
      userAgent: c.req.header('user-agent')?.slice(0, 500) || 'unknown',
      returnUrl: new URL(return_path ?? '/', siteOrigin(c.env, c.req.url)).href,
    },
  };
}
