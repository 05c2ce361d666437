import { builtInFlows } from '../../../worker/experiments/rules/flows.ts';
import { bucketOf, pickVariant, type Variant } from '../../../worker/experiments/rules/split.ts';

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

const experiment = 'bench';
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

/** A uuid that is assigned to an arm. */
function uuidOf(arm: Variant): string {
  for (let number = 0; ; number++) {
    const uuid = `${String(number).padStart(8, '0')}-6713-4f2b-9d21-eadc7543358b`;
    if (pickVariant(arms, bucketOf(experiment, uuid)) === arm) return uuid;
  }
}

const cookies = arms.map(
  // In countries that require consent the arm follows from the id.
  (arm) => `userUuid=${uuidOf(arm)}; arm=${encodeURIComponent(`${experiment}:${arm.key}`)}`,
);

/** The cookies of a visitor with an arm, by the arm's number. */
export const cookieOf = (arm: number): string => cookies[arm % cookies.length] ?? '';
