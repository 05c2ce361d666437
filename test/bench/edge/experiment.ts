import { builtInFlows } from '../../../worker/experiments/rules/flows.ts';
import { bucketOf, pickVariant, type Variant } from '../../../worker/experiments/rules/split.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { visitorIdOf } from '../../../worker/visitor/visitor-key.ts';

const flows = Object.keys(builtInFlows);
const named = [
  ...flows.map((flow) => ({ key: `fullPrice/${flow}`, flow })),
  { key: 'fullPrice/again', flow: 'default' },
];

/** An arm for every built-in flow, and a second one for the first flow. */
export const arms: readonly Variant[] = named.map((arm, at) => ({
  ...arm,
  weight: at === 0 ? 100 - (named.length - 1) * 10 : 10,
}));

export const experiment = 'bench';
const offer = {
  plans: ['monthly', 'quarterly'],
  upsell: 'upsell_monthly_799',
  guide: 'guide_1799',
};

/** The documents in KV. */
export const documents = {
  'config.json': JSON.stringify({
    experiment,
    variants: arms,
    offers: { fullPrice: offer },
    coupons: {},
  }),
  'flows.json': JSON.stringify({ flows: builtInFlows, aliases: {} }),
};

/** The cookies of a visitor who is assigned to an arm: in countries that require consent the arm follows from the id. */
function cookiesOf(arm: Variant): string {
  for (let number = 0; ; number++) {
    const key = String(number).padStart(22, '0');
    const uuid = visitorIdOf(key) as VisitorId;
    if (pickVariant(arms, bucketOf(experiment, uuid)) !== arm) continue;
    const assigned = encodeURIComponent(`${experiment}:${arm.key}`);
    return `userUuid=${uuid}; visitorKey=${key}; arm=${assigned}`;
  }
}

const cookies = arms.map(cookiesOf);

/** The cookies of a visitor with an arm, by the arm's number. */
export const cookieOf = (arm: number): string => cookies[arm % cookies.length] ?? '';
