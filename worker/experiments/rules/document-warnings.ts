import { Catalog } from '../../catalog/rules/catalog.ts';
import type { ConfigSet, Problem } from './config-schema.ts';
import { allFlows, isCheckout, isLanding, isScreenId } from './flows.ts';
import { defaultType, typeOf } from './split.ts';

const config = (path: string, reason: string): Problem => ({ key: 'config.json', path, reason });
const flows = (path: string, reason: string): Problem => ({ key: 'flows.json', path, reason });

function ofArms({ config: { variants } }: ConfigSet): Problem[] {
  return variants.flatMap(({ key, weight, flow }, index) => [
    ...(weight === 0 ? [config(`variants.${index}.weight`, `no new visitor gets ${key}`)] : []),
    ...(flow === 'stripe_test'
      ? [config(`variants.${index}.flow`, 'stripe_test is for tests; production refuses it')]
      : []),
  ]);
}

const usedBeside = ({ experiments: { experiments } }: ConfigSet, part: 'flow' | 'offer') =>
  experiments.flatMap(({ variants }) => variants.flatMap(({ changes }) => changes[part] ?? []));

function ofOffers(set: ConfigSet): Problem[] {
  const { variants, offers } = set.config;
  const own = variants.flatMap(({ key }) => [key, typeOf(key)]);
  // Visitors outside the experiment have the default type.
  const used = new Set([...own, defaultType, ...usedBeside(set, 'offer')]);
  return Object.keys(offers)
    .filter((key) => !used.has(key))
    .map((key) =>
      config(`offers.${key}`, 'no variant has this key or type, so nobody gets this offer'),
    );
}

function ofFlows(set: ConfigSet): Problem[] {
  const used = new Set([
    ...set.config.variants.map(({ flow }) => flow),
    ...usedBeside(set, 'flow'),
  ]);
  const written = new Set(Object.keys(set.flows.flows));
  return [...allFlows(set.flows)]
    .filter(([name]) => used.has(name) || written.has(name))
    .flatMap(([name, screens]) => [
      ...(screens.some(isCheckout) ? [] : [flows(`flows.${name}`, 'no screen takes payment')]),
      ...(screens.at(-1) === 'success' ? [] : [flows(`flows.${name}`, 'does not end in success')]),
      ...(screens.some((screen, at) => isLanding(screen) && isLanding(screens[at + 1] ?? ''))
        ? [flows(`flows.${name}`, 'a landing page follows another one')]
        : []),
      ...(name === 'stripe_test' && !used.has(name)
        ? [flows(`flows.${name}`, 'stripe_test is for tests; production refuses it')]
        : []),
    ]);
}

/** Paths of pages outside the flows. */
const pages =
  /^(d|m|i|guide|manage|cancel|status|healthz|admin|console|terms|privacy|refunds|support|cookies|imprint)$/;

function ofAliases({ flows: { aliases } }: ConfigSet): Problem[] {
  return Object.keys(aliases)
    .filter((alias) => isScreenId(alias) || pages.test(alias))
    .map((alias) => flows(`aliases.${alias}`, 'a page has this name, so the alias has no effect'));
}

function ofCoupons({ config: { coupons }, catalog }: ConfigSet): Problem[] {
  const all = new Catalog(catalog);
  return Object.entries(coupons).flatMap(([code, { plans = [] }]) =>
    plans.flatMap((id, at) =>
      all.beginsFree(all.resolve(id) ?? '')
        ? [config(`coupons.${code}.plans.${at}`, 'begins free, so no coupon applies to it')]
        : [],
    ),
  );
}

export const configWarnings = (set: ConfigSet): Problem[] => [
  ...ofArms(set),
  ...ofOffers(set),
  ...ofCoupons(set),
];

export const flowsWarnings = (set: ConfigSet): Problem[] => [...ofFlows(set), ...ofAliases(set)];
