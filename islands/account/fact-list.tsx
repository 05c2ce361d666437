import styles from './fact-list.module.css';
import type { Fact } from './purchase-text.ts';

type Props = { facts: readonly Fact[]; gap: 'gap-8' | 'gap-12' };

export const FactList = ({ facts, gap }: Props) => (
  <dl className={`small ${gap} ${styles.facts}`}>
    {facts.map(([word, said]) => (
      <div key={word} className={styles.fact}>
        <dt className="soft">{word}</dt>
        {said.map((line) => (
          <dd key={line}>{line}</dd>
        ))}
      </div>
    ))}
  </dl>
);
