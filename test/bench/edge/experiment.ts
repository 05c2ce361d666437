import { builtInFlows } from '../../../worker/experiments/rules/flows.ts';
import { bucketOf, pickVariant, type Variant } from '../../../worker/experiments/rules/split.ts';

const flows = Object.keys(builtInFlows);
const named = [
  ...flows.map((flow) => ({ key: `fullPrice/${flow}`, flow })),
  { key: 'fullPrice/again', flow: 'default' },
];

/** An arm for every built-in flow, and one more of the first. */
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

/** What KV holds. */
export const documents = {
  'config.json': JSON.stringify({
    experiment,
    variants: arms,
    offers: { fullPrice: offer },
    coupons: {},
  }),
  'flows.json': JSON.stringify({ flows: builtInFlows, aliases: {} }),
};

/** A uuid that draws an arm. */
function uuidOf(arm: Variant): string {
  for (let number = 0; ; number++) {
    const uuid = `${String(number).padStart(8, '0')}-6713-4f2b-9d21-eadc7543358b`;
    if (pickVariant(arms, bucketOf(experiment, uuid)) === arm) return uuid;
  }
}

const cookies = arms.map(
  // Where consent is asked the arm follows from the id.
  (arm) => `userUuid=${uuidOf(arm)}; arm=${encodeURIComponent(`${experiment}:${arm.key}`)}`,
);

/** The cookies of a visitor who has an arm, by its number. */
export const cookieOf = (arm: number): string => cookies[arm % cookies.length] ?? '';
