import { textKeys } from './changed-screens.ts';
import type { ConfigSet, Problem } from './config-schema.ts';
import { compare } from './document-diff.ts';
import { isOpen, languagesOf } from './experiment-checks.ts';
import type { Changes, Experiment, Holdout } from './experiments-schema.ts';

const warning = (path: string, reason: string): Problem => ({
  key: 'experiments.json',
  path,
  reason,
});

const lists = ['countries', 'devices', 'platforms', 'sources', 'placements', 'campaigns'] as const;

const meet = (one: readonly string[] | undefined, other: readonly string[] | undefined) =>
  !one || !other || one.some((each) => other.includes(each));

const isBefore = ({ ends }: Experiment, { starts }: Experiment) =>
  Boolean(ends && starts && Date.parse(ends) <= Date.parse(starts));

export function mayMeet(one: Experiment, other: Experiment): boolean {
  const [a, b] = [one.targeting, other.targeting];
  return (
    (one.layer === undefined || one.layer !== other.layer) &&
    !isBefore(one, other) &&
    !isBefore(other, one) &&
    lists.every((list) => meet(a[list], b[list])) &&
    meet(languagesOf(one), languagesOf(other)) &&
    (!a.visitors || !b.visitors || a.visitors === b.visitors)
  );
}

const partsOf = (changes: Changes): string[] => [
  ...(['flow', 'offer', 'theme'] as const).filter((part) => changes[part]),
  ...textKeys(changes),
];

const partsIn = ({ variants }: Experiment) =>
  new Set(variants.flatMap(({ changes }) => partsOf(changes)));

function overlaps(experiments: readonly Experiment[]): Problem[] {
  const open = experiments.filter(isOpen);
  return open.flatMap((one, at) =>
    open.slice(at + 1).flatMap((other) => {
      const common = [...partsIn(one)].filter((part) => partsIn(other).has(part));
      if (common.length === 0 || !mayMeet(one, other)) return [];
      const reason = `${one.id} and ${other.id} change the same part (${common.join(', ')}); put them in a layer, so that no visitor is in both`;
      return [warning('experiments', reason)];
    }),
  );
}

const changesIn = ({ variants }: Experiment) =>
  JSON.stringify(variants.map(({ key, changes }) => [key, changes]));

function disturbed(before: readonly Experiment[], after: readonly Experiment[]): Problem[] {
  return before.filter(isOpen).flatMap((old) => {
    const next = after.find(({ id }) => id === old.id);
    if (!next) {
      const reason = `${old.id} is removed without a winner; its visitors get what everybody gets`;
      return [warning('experiments', reason)];
    }
    const reason = `${old.id} goes on with other variants; its results mix the old and the new ones`;
    return changesIn(old) === changesIn(next) ? [] : [warning('experiments', reason)];
  });
}

function holdoutWarnings(before: Holdout | undefined, after: Holdout | undefined): Problem[] {
  if (!before || after) return [];
  const reason =
    'it is removed; its visitors get what everybody gets, and it counts nobody any more';
  return [warning('holdout', reason)];
}

export const experimentWarnings = (
  { experiments: { experiments, holdout } }: ConfigSet,
  before: ConfigSet | null,
): Problem[] => [
  ...overlaps(experiments),
  ...disturbed(before?.experiments.experiments ?? [], experiments),
  ...holdoutWarnings(before?.experiments.holdout, holdout),
];

const changesText = ({ texts = {}, ...others }: Changes): string => {
  const parts = Object.entries(others).map(([part, value]) => `${part} ${value}`);
  const written = Object.entries(texts).flatMap(([language, own]) =>
    Object.entries(own).map(([key, text]) => `${language} ${key} “${text}”`),
  );
  return [...parts, ...written].join(', ') || 'nothing';
};

const targetingText = ({ targeting }: Experiment): string =>
  Object.entries(targeting)
    .map(([part, value]) => `${part} ${[value].flat().join(', ')}`)
    .join('; ') || 'everybody';

const fieldsOf = (experiment: Experiment): Record<string, string> => {
  const { hypothesis, share, layer, starts, ends, winner, metric, secondary, learned, variants } =
    experiment;
  return {
    hypothesis,
    targeting: targetingText(experiment),
    share: String(share),
    metric,
    ...(layer && { layer }),
    ...(starts && { starts }),
    ...(ends && { ends }),
    ...(winner && { winner }),
    ...(secondary && { secondary: secondary.join(', ') }),
    ...(learned && { learned }),
    variants: variants.map(({ key, weight }) => `${key} ${weight}`).join(', '),
    ...Object.fromEntries(
      variants.slice(1).map(({ key, changes }) => [`${key} changes`, changesText(changes)]),
    ),
  };
};

const holdoutFields = ({ share, version, texts = 'built-in', starts, ends }: Holdout) => ({
  ...{ share: String(share), version, texts },
  ...{ starts, ends },
});

function namedIn(set: ConfigSet | null): Map<string, Record<string, string>> {
  const { experiments = [], holdout } = set?.experiments ?? {};
  return new Map([
    ...experiments.map((each) => [`experiment ${each.id}`, fieldsOf(each)] as const),
    ...(holdout ? [['holdout', holdoutFields(holdout)] as const] : []),
  ]);
}

export const experimentChanges = (before: ConfigSet | null, after: ConfigSet): string[] =>
  compare(namedIn(before), namedIn(after));
