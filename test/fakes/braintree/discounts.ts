import type { Sandbox } from './call.ts';
import { Invalid } from './errors.ts';
import { type AppliedDiscount, decimal, minor, type Subscription } from './state.ts';
import type { Fields } from './subscriptions.ts';

/** A discount of the control panel; the API cannot create one. */
export type MerchantDiscount = AppliedDiscount;

/**
 * The discount of the upsell's coupon. Its amount and duration are wrong on purpose: each subscription
 * has to override them.
 */
export const ourDiscounts = (): MerchantDiscount[] => [{ id: 'UPSELL30', amount: 100, cycles: 1 }];

const invalid = (code: string, name: string, text: string) =>
  new Invalid(code, name, text, 'subscription');

const text = (value: unknown) => (value === undefined ? undefined : String(value));

function added(sandbox: Sandbox, fields: Fields): AppliedDiscount {
  const base = sandbox.discounts.find(({ id }) => id === text(fields.inherited_from_id));
  if (!base) throw invalid('92013', 'inherited_from_id', 'Inherited From ID is invalid.');
  const amount = text(fields.amount);
  const cycles = text(fields.number_of_billing_cycles);
  if (fields.never_expires && cycles) {
    throw invalid('92018', 'number_of_billing_cycles', 'Cannot have cycles and never expire.');
  }
  return {
    id: base.id,
    amount: amount === undefined ? base.amount : minor(amount),
    cycles: fields.never_expires ? null : cycles === undefined ? base.cycles : Number(cycles),
  };
}

/**
 * The discounts of a new subscription: those of its plan, unless that is refused, and those it adds
 * (developer.paypal.com/braintree/docs/reference/request/subscription/create; codes as in the
 * official client's `validation_error_codes.js`).
 */
export function discountsOf(sandbox: Sandbox, planId: string, fields: Fields): AppliedDiscount[] {
  const options = (fields.options ?? {}) as Fields;
  const plan = sandbox.plans.find(({ id }) => id === planId);
  const inherited = options.do_not_inherit_add_ons_or_discounts ? [] : (plan?.discounts ?? []);
  const { add = [] } = (fields.discounts ?? {}) as { add?: Fields[] };
  const all = [
    ...sandbox.discounts.filter(({ id }) => inherited.includes(id)),
    ...add.map((one) => added(sandbox, one)),
  ];
  if (new Set(all.map(({ id }) => id)).size < all.length) {
    throw invalid('91911', 'base', 'Cannot add duplicate add-on or discount.');
  }
  return all;
}

/** The amount of a subscription's next charge. */
export function nextAmount(
  { state }: Sandbox,
  { id, price, discounts = [] }: Subscription,
): number {
  const charged = Object.values(state.transactions).filter(
    ({ subscription, status }) => subscription === id && status.startsWith('S'),
  ).length;
  const open = discounts.filter(({ cycles }) => cycles === null || charged < cycles);
  return open.reduce((left, { amount }) => Math.max(0, left - amount), price);
}

/** A discount as lists of them, and subscriptions, show it. */
export const discountFields = ({ id, amount, cycles }: AppliedDiscount) => ({
  id,
  name: id,
  kind: 'discount',
  amount: decimal(amount),
  quantity: 1,
  'never-expires': cycles === null,
  'number-of-billing-cycles': cycles,
});
