import { clockIn, localTime } from '../../locales/format/date-text.ts';
import type { IslandText } from '../../locales/index.ts';
import styles from '../search-progress.module.css';
import type { NumberData } from '../stores/map.ts';
import type { LookupStep } from './lookup-steps.tsx';

type Words = IslandText['search-progress'];

type Fact = readonly [label: string, value: string];

/** Countries whose time differs from place to place. */
const severalZones = /^(AU|BR|CA|CD|ID|KZ|MX|RU|US)$/;

function timeOf(data: NumberData, text: Words, language: string): Fact | null {
  const { timezone, city, country, country_name: name } = data;
  if (!timezone) return null;
  const isOfPlace = city || (name && !severalZones.test(country ?? ''));
  const value = (isOfPlace ? clockIn : localTime)(timezone, language);
  return value ? [text.timezone, value] : null;
}

/** What is known of the number. */
export function numberFactsOf(data: NumberData, text: Words, language: string): Fact[] {
  const place = data.city || data.country_name;
  const facts: (Fact | null)[] = [
    place ? [text.from, place] : null,
    timeOf(data, text, language),
    data.carrier ? [text.carrier, data.carrier] : null,
  ];
  return facts.filter((fact) => fact !== null);
}

export function stepsOf(data: NumberData | null, text: Words): LookupStep[] {
  const region = data?.country_name || data?.timezone || data?.city;
  return [
    { text: text.number },
    { text: text.operator, isEmpty: data !== null && !data.carrier },
    { text: text.region, isEmpty: data !== null && !region },
    { text: text.invitation },
  ];
}

export function NumberFacts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
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
