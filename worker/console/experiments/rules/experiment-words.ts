import { stateOf } from '../../../experiments/rules/experiment-arms.ts';
import type { Experiment } from '../../../experiments/rules/experiments-schema.ts';
import { countryName, deviceName, languageName, trafficName } from '../../parts/rules/names.ts';

const either = new Intl.ListFormat('en', { type: 'disjunction' });

type List =
  | 'countries'
  | 'languages'
  | 'devices'
  | 'platforms'
  | 'sources'
  | 'placements'
  | 'campaigns';

interface Admitted {
  targeting: Partial<Record<List, readonly string[]>> & { visitors?: string | undefined };
  share: number;
}

/** Whom an experiment admits, such as `visitors in Germany who read German, from ads on Instagram`. */
export function whoText({ targeting, share }: Admitted): string {
  const { countries, languages, sources, placements, campaigns } = targeting;
  const devices = [
    ...(targeting.devices ?? []).map((one) => (one === 'mobile' ? 'phones' : 'computers')),
    ...(targeting.platforms ?? []).map(deviceName),
  ];
  const part = (
    words: string,
    all: readonly string[] = [],
    nameOf = String as (of: string) => string,
  ) => (all.length > 0 ? ` ${words} ${either.format(all.map(nameOf))}` : '');
  const traffic = [...(placements ?? []), ...(sources ?? [])];
  const who = [
    `${targeting.visitors ? `${targeting.visitors} ` : ''}visitors`,
    part('in', countries, countryName),
    part('who read', languages, languageName),
    part('on', devices),
    part('from ads on', traffic, trafficName),
    part('of the campaign', campaigns),
  ].join('');
  const all = who === 'visitors' ? 'all visitors' : who;
  return share === 100 ? all : `${share}% of ${all}`;
}

const shares = ({ variants }: Pick<Experiment, 'variants'>) =>
  variants.map(({ key, weight }) => `${weight}% “${key}”`).join(', ');

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What added and changed experiments do, one sentence each. @param now ms since 1970 */
export const experimentSentences = (
  before: readonly Experiment[],
  after: readonly Experiment[],
  now: number,
): string[] =>
  after
    .filter((each) => stateOf(each, now) !== 'ended')
    .filter((each) => !before.some((old) => isSame(old, each)))
    .map((each) => {
      const who = whoText(each);
      return `${who.charAt(0).toUpperCase()}${who.slice(1)} take part in “${each.id}”: ${shares(each)}.`;
    });
