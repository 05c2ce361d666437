import { type Arm, testPrefix } from '../../experiments/rules/arms.ts';
import type { CountInput } from './count.ts';

/** One more count for each variant. It has neither flow nor landing, which would multiply the rows. */
export const armCounts = (
  count: CountInput,
  arms: readonly Arm[],
  squares: readonly number[] = [],
): CountInput[] =>
  arms.map(({ experiment, variant }, at) => ({
    ...count,
    id: `${count.id}:${experiment}`,
    step: testPrefix + count.step,
    slice: { ...count.slice, flow: '', landing: '', experiment, variant },
    ...(count.payment && {
      payment: { ...count.payment, squares: squares[at] ?? count.payment.squares },
    }),
  }));
