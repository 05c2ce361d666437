import type * as v from 'valibot';
import type { Documents } from '../../documents/document-set.ts';
import { type ConfigSet, type offerSchema, type Problem, schemas } from './config-schema.ts';
import { configChanges, flowsChanges } from './document-diff.ts';
import { configWarnings, flowsWarnings } from './document-warnings.ts';
import { allFlows, builtInFlows, isTestScreen, testFlows } from './flows.ts';

interface DocumentKind {
  schema: v.GenericSchema;
  builtIn: string;
  /** Whether documents without it are refused; otherwise the built-in one completes them. */
  isRequired: boolean;
  between: (set: ConfigSet, production: boolean) => Problem[];
  warnings: (set: ConfigSet) => Problem[];
  /** What changes for visitors, one line each. */
  changes: (before: ConfigSet | null, after: ConfigSet) => string[];
  affects: string;
}

function missingFlows({ config, flows }: ConfigSet, production: boolean): Problem[] {
  const all = allFlows(flows, production);
  return config.variants.flatMap(({ flow }, index) =>
    all.has(flow)
      ? []
      : [{ key: 'config.json', path: `variants.${index}.flow`, reason: `no flow ${flow}` }],
  );
}

function testScreens({ flows: { flows, aliases } }: ConfigSet, production: boolean): Problem[] {
  const reason = 'is for tests, and production refuses it';
  const problem = (path: string): Problem => ({ key: 'flows.json', path, reason });
  if (!production) return [];
  return [
    ...Object.entries(flows).flatMap(([name, screens]) =>
      name in testFlows || screens.some(isTestScreen) ? [problem(`flows.${name}`)] : [],
    ),
    ...Object.entries(aliases).flatMap(([alias, target]) =>
      isTestScreen(target) ? [problem(`aliases.${alias}`)] : [],
    ),
  ];
}

export const builtInOffer: v.InferOutput<typeof offerSchema> = {
  plans: ['monthly', 'quarterly'],
  after: [],
  upsell: 'upsell_monthly_999',
  guide: 'guide_1799',
};

/** Every document that is published with `npm run config`: its file is `<name>.json`. */
export const kinds: { [Name in keyof ConfigSet]: DocumentKind } = {
  config: {
    schema: schemas.config,
    builtIn: JSON.stringify(
      {
        experiment: 'built-in',
        variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
        offers: { fullPrice: builtInOffer },
        coupons: {},
      },
      null,
      2,
    ),
    isRequired: true,
    between: missingFlows,
    warnings: configWarnings,
    changes: configChanges,
    affects: 'Only new visitors are assigned; returning visitors keep their variant.',
  },
  flows: {
    schema: schemas.flows,
    builtIn: JSON.stringify({ flows: builtInFlows, aliases: {} }, null, 2),
    isRequired: true,
    between: testScreens,
    warnings: flowsWarnings,
    changes: flowsChanges,
    affects: 'Everybody in a changed flow continues with its new screens.',
  },
};

/** Whom a change of these documents affects, one sentence for each that changes. */
export const affectedBy = (before: Documents, after: Documents): string[] =>
  Object.entries(kinds)
    .filter(([name]) => before[`${name}.json`] !== after[`${name}.json`])
    .map(([, { affects }]) => affects);
