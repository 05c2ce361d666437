import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/** Active plan ids by slot. */
export interface ActivePlans {
  main: string | null;
  upsell: string | null;
  guide: string | null;
}

/**
 * Loads the account's active plans from the server; null when signed out or when the request fails.
 */
export async function loadActivePlans(): Promise<ActivePlans | null> {
  const { token } = $signup.get();
  if (!token) return null;
  try {
    return (await call<{ data: ActivePlans }>('/users/me/purchases', { bearer: token })).data;
  } catch {
    return null;
  }
}
