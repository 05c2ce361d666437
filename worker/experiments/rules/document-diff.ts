import type { ConfigSet } from './config-schema.ts';
import { allFlows } from './flows.ts';

type Config = ConfigSet['config'];
type Flows = ConfigSet['flows'];
type FieldsByName = Map<string, Record<string, string>>;

const armsOf = (config: Config): FieldsByName =>
  new Map(
    config.variants.map(({ key, weight, flow }) => [
      `variant ${key}`,
      { weight: String(weight), flow },
    ]),
  );

const offersOf = (config: Config): FieldsByName =>
  new Map(
    Object.entries(config.offers).map(
      ([key, { plans, after, preselect = 'best value', best_value = 'any', upsell, guide }]) => [
        `offer ${key}`,
        { plans: plans.join(', '), after: after.join(', '), preselect, best_value, upsell, guide },
      ],
    ),
  );

const flowsOf = (flows: Flows): FieldsByName =>
  new Map([...allFlows(flows)].map(([name, ids]) => [`flow ${name}`, { screens: ids.join(', ') }]));

const aliasesOf = (flows: Flows): FieldsByName =>
  new Map(Object.entries(flows.aliases).map(([name, screen]) => [`alias ${name}`, { screen }]));

const couponsOf = (config: Config): FieldsByName =>
  new Map(
    Object.entries(config.coupons).map(([code, coupon]) => [
      `coupon ${code}`,
      Object.fromEntries(
        Object.entries(coupon).map(([term, value]) => [
          term,
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        ]),
      ),
    ]),
  );

const marketsOf = (config: Config): FieldsByName =>
  new Map(
    Object.entries(config.markets).map(([id, { shortcuts = [] }]) => [
      `market ${id}`,
      { shortcuts: shortcuts.join(', ') },
    ]),
  );

const routingOf = (config: Config): FieldsByName =>
  new Map(
    config.routing.map(({ markets = ['all'], methods = ['all'], gateways }) => [
      `routing of markets ${markets.join(', ')}; methods ${methods.join(', ')}`,
      { gateways: gateways.map(({ name, weight }) => `${name} ${weight}`).join(', ') },
    ]),
  );

const enabled = { enabled: 'yes' };

const methodsOf = (config: Config): FieldsByName =>
  new Map([
    ...config.bank_methods.map((name) => [`bank method ${name}`, enabled] as const),
    ...config.stripe_wallets.map((name) => [`wallet ${name} of Stripe`, enabled] as const),
  ]);

const trustOf = (config: Config): FieldsByName =>
  new Map([['trust row', { labels: config.trust.join(', ') }]]);

const describe = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([field, value]) => `${field} ${value}`)
    .join('; ');

export function compare(before: FieldsByName, after: FieldsByName): string[] {
  const lines: string[] = [];
  for (const [name, fields] of after) {
    const old = before.get(name);
    if (!old) lines.push(`${name}: added, ${describe(fields)}`);
    else {
      for (const field of Object.keys({ ...old, ...fields })) {
        const [was, is] = [old[field] ?? 'none', fields[field] ?? 'none'];
        if (was !== is) lines.push(`${name}: ${field} ${was} → ${is}`);
      }
    }
  }
  for (const [name, fields] of before) {
    if (!after.has(name)) lines.push(`${name}: removed, had ${describe(fields)}`);
  }
  return lines;
}

function compareExperiment(old: Config, after: Config): string[] {
  const { experiment, variants } = after;
  if (old.experiment !== experiment) {
    return [`experiment: ${old.experiment} → ${experiment}; every visitor is assigned again`];
  }
  const common = (some: typeof variants, others: typeof variants) =>
    some.map(({ key }) => key).filter((key) => others.some((other) => other.key === key));
  const moved = common(old.variants, variants).join() !== common(variants, old.variants).join();
  const weights = (all: typeof variants) => all.map(({ key, weight }) => `${key} ${weight}`).sort();
  const reweighted = weights(old.variants).join() !== weights(variants).join();
  return [
    ...(moved ? ['variants: order changed; this affects new visitors only'] : []),
    ...(reweighted
      ? [`experiment: still ${experiment}; results mix visitors of the old and the new weights`]
      : []),
  ];
}

const noConfig: Config = {
  ...{ experiment: '', variants: [], offers: {}, coupons: {}, markets: {} },
  ...{ routing: [], bank_methods: [], stripe_wallets: [] },
  trust: ['consent', 'confidential', 'ssl'],
};

export function configChanges(before: ConfigSet | null, { config }: ConfigSet): string[] {
  const old = before?.config ?? noConfig;
  return [
    ...(before ? compareExperiment(old, config) : [`experiment: added, ${config.experiment}`]),
    ...[armsOf, offersOf, couponsOf, marketsOf, routingOf, trustOf, methodsOf].flatMap((of) =>
      compare(of(old), of(config)),
    ),
  ];
}

/** A flow that replaces a built-in one changes it. */
export function flowsChanges(before: ConfigSet | null, { flows }: ConfigSet): string[] {
  const old = before?.flows ?? { flows: {}, aliases: {} };
  return [flowsOf, aliasesOf].flatMap((of) => compare(of(old), of(flows)));
}
