import type { PlanId } from '../../catalog/plans.ts';

/** A plan's price at a gateway, compared with the catalog. */
export interface PriceCheck {
  plan: PlanId;
  /** The gateway's id; null when our settings name none. */
  price: string | null;
  problems: string[];
}

export const differs = (name: string, actual: unknown, expected: unknown): string[] =>
  actual === expected ? [] : [`${name} is ${actual ?? 'none'}, not ${expected ?? 'none'}`];
