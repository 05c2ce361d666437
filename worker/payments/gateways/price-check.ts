import type { PlanId } from '../../catalog/plans.ts';

/** What is wrong at a provider with the price of a plan; an empty list is right. */
export interface PriceCheck {
  plan: PlanId;
  /** What the provider calls it; null where none is named. */
  price: string | null;
  problems: string[];
}

/** The problem that a fact of a price is, if any. */
export const differs = (name: string, found: unknown, wanted: unknown): string[] =>
  found === wanted ? [] : [`${name} is ${found ?? 'none'}, not ${wanted ?? 'none'}`];
