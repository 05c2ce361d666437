/** The amounts in a wallet's sheet for a plan with an intro. */
export const sum = {
  plan: 'monthly_7d_eur',
  label: 'Monthly, trial of 7 days',
  today: 699,
  renewal: 3999,
  currency: 'EUR',
  every: { unit: 'month', count: 1 },
  renews: () => new Date('2026-11-27T00:00:00Z'),
} as const;
