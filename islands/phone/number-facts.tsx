import { localTime } from '../../locales/format/date-text.ts';
import type { IslandText } from '../../locales/index.ts';
import styles from '../search-progress.module.css';
import type { NumberData } from '../stores/map.ts';
import type { LookupStep } from './lookup-steps.tsx';

type Words = IslandText['search-progress'];

export function factsOf(data: NumberData, text: Words, language: string): [string, string][] {
  const time = data.timezone && localTime(data.timezone, language);
  const facts = [
    [text.from, data.city || data.country_name],
    [text.timezone, time],
    [text.carrier, data.carrier],
  ] as const;
  return facts.map(([label, known]) => [label, known || text.unknown]);
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
  facts: readonly (readonly [label: string, value: string])[];
};

export function NumberFacts({ facts }: Props) {
  return (
    <dl>
      {facts.map(([label, value]) => (
        <div key={label} className={`small ${styles.fact}`}>
          <dt className="soft">{label}</dt>
          <dd className="strong break">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
