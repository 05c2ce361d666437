import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { type ActivePlans, loadActivePlans } from './account/active-plans.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';

/** The account's add-ons with links; empty when there are none. */
export default function OwnedExtras({ text }: { text: IslandText['owned-extras'] }) {
  const [bought, setBought] = useState<ActivePlans | null>(null);
  useOnHydrate(() => {
    loadActivePlans().then(setBought);
  });
  if (!bought?.upsell && !bought?.guide) return null;
  return (
    <section className="stack gap-12">
      <h2>{text.title}</h2>
      {bought.upsell && <p className="card stack gap-12">{text.upsell}</p>}
      {bought.guide && (
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
