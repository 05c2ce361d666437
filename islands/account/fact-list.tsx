import styles from './fact-list.module.css';
import type { Fact } from './purchase-text.ts';

type Props = { facts: readonly Fact[]; gap: 'gap-8' | 'gap-12' };

export const FactList = ({ facts, gap }: Props) => (
  <dl className={`small ${gap} ${styles.facts}`}>
    {facts.map(([label, lines]) => (
      <div key={label} className={styles.fact}>
        <dt className="soft">{label}</dt>
        {lines.map((line) => (
          <dd key={line}>{line}</dd>
        ))}
      </div>
    ))}
  </dl>
);
