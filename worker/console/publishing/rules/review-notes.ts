import { gatewayNames } from '../../../catalog/rules/gateway-names.ts';
import { plansText } from '../../../catalog/rules/plans-text.ts';
import type { Documents } from '../../../documents/document-set.ts';
import type { Unsold } from '../../../documents/manifest.ts';
import { offerOf, readDocuments } from '../../../experiments/rules/config-documents.ts';
import { validateDocuments } from '../../../experiments/rules/config-validation.ts';
import { gatewayTraits } from '../../../payments/purchase/gateway-traits.ts';
import { screenName } from '../../parts/rules/screen-names.ts';

/** Sentences for the consequences of a removal; for other things the text only says that they are removed. */
const endings: Record<string, (name: string) => string> = {
  coupon: (name) => `The coupon ${name} stops working.`,
  alias: (name) => `The address /${name} stops working.`,
  variant: (name) => `The variant “${name}” is removed. Its visitors get another one.`,
};

export const removalLines = (differences: readonly string[]): string[] =>
  differences.flatMap((line) => {
    const [, removed, changed] = /^(?:(.+?): removed, had |(coupon \S+): terms )/.exec(line) ?? [];
    if (changed) return [`The ${changed} gets different terms.`];
    if (!removed) return [];
    const [kind = '', ...name] = removed.split(' ');
    return [endings[kind]?.(name.join(' ')) ?? `The ${removed} is removed.`];
  });

const without = (all: readonly string[] = [], some: readonly string[] = []) =>
  plansText(all.filter((one) => !some.includes(one)));

/** Publishing the live documents again changes only who sells them. */
export const saleChanges = (before: Unsold = {}, after: Unsold): string[] =>
  gatewayNames.flatMap((name) => {
    const { title } = gatewayTraits[name];
    const [gained, lost] = [without(before[name], after[name]), without(after[name], before[name])];
    return [
      ...(gained ? [`${title} sells ${gained} too`] : []),
      ...(lost ? [`${title} no longer sells ${lost}`] : []),
    ];
  });

export const unsoldLines = (unsold: Unsold = {}): string[] =>
  gatewayNames.flatMap((name) =>
    unsold[name] ? [`${gatewayTraits[name].title} does not sell ${plansText(unsold[name])}.`] : [],
  );

/** A warning about the documents as a sentence; the position in the file is removed if the warning names its subject. */
export function warningText(line: string): string {
  const text = line
    .replace(/^(config|flows)\.json (variants\.\d+\.\w+: )?/, '')
    .replace(/^flows\.([\w-]+):/, 'Flow “$1”:');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export interface FlowChange {
  text: string;
  /** Screens that are new in it or left out, each with its place. */
  moves: string[];
  /** Empty for a new flow. */
  before: readonly string[];
  after: readonly string[];
}

/** Each added or changed flow: how many new visitors get it, and its screens before and after. */
export function flowChanges(before: Documents, after: Documents): FlowChange[] {
  const [old, next] = [readDocuments(before), readDocuments(after)];
  return [...next.flows].flatMap(([name, screens]) => {
    const earlier: readonly string[] = old.flows.get(name) ?? [];
    if (earlier.join() === screens.join()) return [];
    const users = next.variants.filter(({ flow }) => flow === name);
    const share = users.reduce((sum, { weight }) => sum + weight, 0);
    const who = share > 0 ? `${share}% of new visitors get` : 'No new visitor gets';
    const added = screens.flatMap((screen, at) => {
      const last = screens[at - 1];
      const place = last ? `after ${screenName(last)}` : 'as the first screen';
      return earlier.includes(screen) ? [] : [`New: ${screenName(screen)}, ${place}`];
    });
    const removed = earlier.filter((screen) => !screens.some((each) => each === screen));
    const moves = [...added, ...removed.map((screen) => `Left out: ${screenName(screen)}`)];
    return {
      text: `${who} the ${earlier.length > 0 ? 'changed' : 'new'} flow “${name}”.`,
      moves: earlier.length === 0 ? [] : moves.length > 0 ? moves : ['Another order'],
      before: earlier,
      after: screens,
    };
  });
}

/** Where the variants of visitors differ in more than one thing: one sentence per variant. */
export function variantDifferences(texts: Documents): string[] {
  if (!validateDocuments(texts).set) return [];
  const read = readDocuments(texts);
  const [first, ...others] = read.variants.filter(({ weight }) => weight > 0);
  if (!first) return [];
  const screensOf = (flow: string): readonly string[] => read.flows.get(flow) ?? [];
  return others.flatMap(({ key, flow }) => {
    const before = screensOf(first.flow);
    const screens = screensOf(flow).filter((screen) => !before.includes(screen));
    const sold = JSON.stringify(offerOf(read, key)) !== JSON.stringify(offerOf(read, first.key));
    const what = [...screens, ...(sold ? ['plans and prices'] : [])];
    if (what.length < 2) return [];
    return [
      `“${key}” differs from “${first.key}” in ${what.length} ways: ${what.join(', ')}. The results cannot show which of them made the difference.`,
    ];
  });
}
