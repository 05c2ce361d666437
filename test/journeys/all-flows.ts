import { builtInFlows, type Flow } from '../../worker/experiments/rules/flows.ts';

/** Flows for screens that no built-in flow has. */
export const otherFlows: Record<string, Flow> = {
  ai: [
    'one_pager_ai',
    'searching_ai',
    'signup',
    'features',
    'paycheck1_pr5_h_ai',
    'upsell_guide',
    'success',
  ],
  combo: ['one_pager_l1', 'searching', 'signup', 'paycheck_combo_3d', 'success'],
  long: ['one_pager_l2', 'searching', 'signup', 'checkout_v3_pp', 'success'],
};

export const flows: readonly [name: string, screens: Flow][] = Object.entries({
  ...builtInFlows,
  ...otherFlows,
});

/** The configuration that sends everyone through one flow. */
export const onlyFlow = (flow: string) => ({
  experiment: `walk-${flow}`,
  variants: [{ key: 'fullPrice', weight: 100, flow }],
});
