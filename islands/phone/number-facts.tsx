import { localTime } from '../../locales/format/date-text.ts';
import type { IslandText } from '../../locales/index.ts';
import styles from '../search-progress.module.css';
import type { NumberData } from '../stores/map.ts';
import type { LookupStep } from './lookup-steps.tsx';

type Words = IslandText['search-progress'];

type Fact = readonly [label: string, value: string | null];

/** Null for what is not known of the number. */
export function numberFactsOf(data: NumberData, text: Words, language: string): Fact[] {
  const time = data.timezone && localTime(data.timezone, language);
  return [
    [text.from, data.city || data.country_name || null],
    [text.timezone, time || null],
    [text.carrier, data.carrier || null],
  ];
}

export function stepsOf(data: NumberData | null, text: Words): LookupStep[] {
  const region = data?.country_name || data?.timezone || data?.city;
  return [
    { text: text.number },
    { text: text.operator, emptyText: data && !data.carrier ? text.no_operator : undefined },
    { text: text.region, emptyText: data && !region ? text.no_region : undefined },
    { text: text.invitation },
  ];
}

type Props = {
  facts: readonly Fact[];
  /** Stands for a value that is not known. */
  unknown: string;
};

export function NumberFacts({ facts, unknown }: Props) {
  return (
    <dl>
      {facts.map(([label, value]) => (
        <div key={label} className={`small ${styles.fact}`}>
          <dt className="soft">{label}</dt>
          <dd className={value === null ? 'soft' : 'strong break'}>{value ?? unknown}</dd>
        </div>
      ))}
    </dl>
  );
}
