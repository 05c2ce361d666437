import type { DocumentPair, Problem } from '../../worker/experiments/rules/config-validation.ts';
import { allFlows, isCheckout, isScreenId } from '../../worker/experiments/rules/flows.ts';
import { defaultType, typeOf } from '../../worker/experiments/rules/split.ts';

const config = (path: string, reason: string): Problem => ({ key: 'config.json', path, reason });
const flows = (path: string, reason: string): Problem => ({ key: 'flows.json', path, reason });

function ofArms({ config: { variants } }: DocumentPair): Problem[] {
  return variants.flatMap(({ key, weight, flow }, index) => [
    ...(weight === 0
      ? [config(`variants.${index}.weight`, `no new visitor gets the arm ${key}`)]
      : []),
    ...(flow === 'stripe_test'
      ? [config(`variants.${index}.flow`, 'stripe_test is for tests; production refuses it')]
      : []),
  ]);
}

function ofOffers({ config: { variants, offers } }: DocumentPair): Problem[] {
  const meant = new Set(variants.flatMap(({ key }) => [key, typeOf(key)]));
  // Visitors outside the test have the default type.
  meant.add(defaultType);
  return Object.keys(offers)
    .filter((key) => !meant.has(key))
    .map((key) => config(`offers.${key}`, 'no arm has this key or type'));
}

function ofFlows(pair: DocumentPair): Problem[] {
  const used = new Set(pair.config.variants.map(({ flow }) => flow));
  const written = new Set(Object.keys(pair.flows.flows));
  return [...allFlows(pair.flows)]
    .filter(([name]) => used.has(name) || written.has(name))
    .flatMap(([name, screens]) => [
      ...(screens.some(isCheckout) ? [] : [flows(`flows.${name}`, 'no screen takes payment')]),
      ...(screens.at(-1) === 'success' ? [] : [flows(`flows.${name}`, 'does not end in success')]),
      ...(name === 'stripe_test' && !used.has(name)
        ? [flows(`flows.${name}`, 'stripe_test is for tests; production refuses it')]
        : []),
    ]);
}

function ofAliases({ flows: { aliases } }: DocumentPair): Problem[] {
  return Object.keys(aliases)
    .filter(isScreenId)
    .map((alias) => flows(`aliases.${alias}`, 'a screen has this name, so the alias does nothing'));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Paths that are written but that nothing reads: what the schema let fall. */
function unread(written: unknown, taken: unknown, path = ''): string[] {
  if (!isObject(written) || !isObject(taken)) return [];
  return Object.keys(written).flatMap((key) => {
    const at = path ? `${path}.${key}` : key;
    return Object.hasOwn(taken, key) ? unread(written[key], taken[key], at) : [at];
  });
}

/**
 * What is allowed but hardly meant.
 *
 * @param pair the documents as they were read
 * @param texts the documents as they are written
 */
export function warningsOf(
  pair: DocumentPair,
  texts: { config: string; flows: string },
): Problem[] {
  const fallen = (text: string, taken: object) => unread(JSON.parse(text), taken);
  return [
    ...ofArms(pair),
    ...ofOffers(pair),
    ...ofFlows(pair),
    ...ofAliases(pair),
    ...fallen(texts.config, pair.config).map((path) => config(path, 'nothing reads this field')),
    ...fallen(texts.flows, pair.flows).map((path) => flows(path, 'nothing reads this field')),
  ];
}
