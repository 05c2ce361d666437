import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { type ActivePlans, loadActivePlans } from './account/active-plans.ts';
import styles from './owned-extras.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';

/** The account's add-ons with links; empty when there are none. */
export default function OwnedExtras({ text }: { text: IslandText['owned-extras'] }) {
  const [bought, setBought] = useState<ActivePlans | null>(null);
  useOnHydrate(() => {
    loadActivePlans().then(setBought);
  });
  if (!bought?.upsell && !bought?.guide) return null;
  return (
    <section className={styles.extras}>
      <h2>{text.title}</h2>
      {bought.upsell && <p className={styles.item}>{text.upsell}</p>}
      {bought.guide && (
        <div className={styles.item}>
          <p>{text.guide}</p>
          <a className={styles.read} href="/guide" data-navigate="">
            {text.read}
          </a>
        </div>
      )}
    </section>
  );
}
