import type { PlanId } from '../../catalog/plans.ts';

export interface PriceCheck {
  plan: PlanId;
  price: string | null;
  problems: string[];
}

export const differs = (name: string, actual: unknown, expected: unknown): string[] =>
  actual === expected ? [] : [`${name} is ${actual ?? 'none'}, not ${expected ?? 'none'}`];
