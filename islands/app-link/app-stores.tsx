import type { IslandText } from '../../locales/index.ts';
import type { Page } from '../../worker/page-types.ts';
import styles from './app-stores.module.css';
import { StoreBadge } from './store-badge.tsx';

const names = { apple: 'App Store', google: 'Google Play' };

type Props = {
  text: IslandText['open-app'];
  stores: Page['stores'];
  platform: 'apple' | 'google' | 'desktop';
};

export function AppStores({ text, stores, platform }: Props) {
  const wanted = (['apple', 'google'] as const).filter(
    (name) => platform === name || platform === 'desktop',
  );
  const known = wanted.filter((name) => stores[name]);
  if (known.length === 0) {
    const [only] = wanted;
    return <p>{wanted.length === 1 && only ? text[`no_store_${only}`] : text.no_stores}</p>;
  }
  return (
    <div className={styles.row}>
      {known.map((name) => (
        <StoreBadge
          key={name}
          href={stores[name]}
          small={text[`${name}_small`]}
          name={names[name]}
        />
      ))}
    </div>
  );
}
