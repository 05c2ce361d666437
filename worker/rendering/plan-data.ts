import { decimal } from '../../locales/format/currency.ts';
import { money } from '../../locales/format/money.ts';
import type { Text } from '../../locales/index.ts';
import type { Catalog } from '../catalog/rules/catalog.ts';
import type { Plan, PlanView } from '../catalog/rules/plans.ts';
import { isCheckout, isScreenId } from '../experiments/rules/flows.ts';
import type { Page } from './page-types.ts';

/** A plan as a purchase event contains it (specification, section 3). */
export interface PlanData {
  name: string;
  /** Decimal strings of each renewal and of the first charge, less the built-in coupon. */
  price: string;
  periodPrice: string;
  description: string;
  disclaimer: string;
  product_id: string;
  /** The period of the first charge, ISO 8601; null for a one-time purchase. */
  duration: string | null;
  period: Plan['period'];
  currency: string;
  currencySymbol: string;
}

function dataOf(view: PlanView, plan: Plan, t: Text, language: string): PlanData {
  const { name, description, disclaimer, productId, duration, period, introDays: count } = plan;
  const price = money(view.price, view.currency, language);
  const every = period === 'once' ? '' : t(`plans.every.${period}`);
  const today = money(view.periodPrice, view.currency, language);
  return {
    name: view.name ?? t(name, { count }),
    price: decimal(view.price, view.currency),
    periodPrice: decimal(view.periodPrice, view.currency),
    description: view.description ?? t(description, { price, today, count, every }),
    disclaimer: t(disclaimer),
    product_id: productId,
    duration: duration && `P${duration.count}${duration.unit.charAt(0).toUpperCase()}`,
    period,
    currency: plan.currency,
    currencySymbol: plan.currencySymbol,
  };
}

export function planDataOf(page: Page, catalog: Catalog, t: Text): Record<string, PlanData> | null {
  const { screen, checkout, extras, language } = page;
  if (page.kind !== 'payment') return null;
  const main = isScreenId(screen) && isCheckout(screen);
  const sold = main
    ? [...checkout.plans, ...checkout.plansAfterOffer]
    : [screen === 'upsell_guide' ? extras.guide : extras.upsell];
  return Object.fromEntries(
    sold.map((view) => [
      view.id,
      dataOf(view, catalog.planOf(view.family, view.currency), t, language),
    ]),
  );
}
