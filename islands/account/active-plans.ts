import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/** Ids of the plans that are active, by slot. */
export interface ActivePlans {
  main: string | null;
  upsell: string | null;
  guide: string | null;
}

/** What the account bought, as the server knows it; null when nobody can say. */
export async function loadActivePlans(): Promise<ActivePlans | null> {
  const { token } = $signup.get();
  if (!token) return null;
  try {
    return (await call<{ data: ActivePlans }>('/users/me/purchases', { bearer: token })).data;
  } catch {
    return null;
  }
}
