import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { call } from './runtime/api.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { sessionToken } from './stores/signup.ts';

interface ActivePlans {
  main: string | null;
  upsell: string | null;
  guide: string | null;
}

/** Loads the account's active plans from the server; null when signed out or when the request fails. */
async function loadActivePlans(): Promise<ActivePlans | null> {
  const token = sessionToken();
  if (!token) return null;
  try {
    return (await call<{ data: ActivePlans }>('/users/me/purchases', { bearer: token })).data;
  } catch {
    return null;
  }
}

/** The account's extras with links; empty when there are none. */
export default function OwnedExtras({ text }: { text: IslandText['owned-extras'] }) {
  const [plans, setPlans] = useState<ActivePlans | null>(null);
  useOnHydrate(() => {
    loadActivePlans().then(setPlans);
  });
  if (!plans?.upsell && !plans?.guide) return null;
  return (
    <section className="stack gap-12">
      <h2>{text.title}</h2>
      {plans.upsell && <p className="card stack gap-12">{text.upsell}</p>}
      {plans.guide && (
        <div className="card stack gap-12">
          <p>{text.guide}</p>
          <a className="link-outlined" href="/guide" data-navigate="">
            {text.read}
          </a>
        </div>
      )}
    </section>
  );
}
