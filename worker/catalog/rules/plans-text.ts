import type { PlanId } from './plans.ts';

export const familyOfPlan = (id: PlanId): string => id.slice(0, id.lastIndexOf('_'));

/** Such as `monthly@2 in USD, EUR; weekly in USD`. */
export const plansText = (ids: readonly PlanId[]): string =>
  [...Map.groupBy(ids, familyOfPlan)]
    .map(([family, own]) => {
      const currencies = own.map((id) => id.slice(family.length + 1).toUpperCase());
      return `${family} in ${currencies.join(', ')}`;
    })
    .join('; ');
