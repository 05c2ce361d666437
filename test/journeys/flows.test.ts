import { expect } from 'vitest';
import { builtInFlows, type ScreenId } from '../../worker/funnel/flows.ts';
import { journey } from './journey.ts';
import { walkThrough } from './steps.ts';

const others: Record<string, ScreenId[]> = {
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

const flows = Object.entries({ ...builtInFlows, ...others });

journey.for(flows)('the flow %s, walked whole', async ([flow, screens], { visitor, house }) => {
  const variants = [{ key: 'fullPrice', weight: 100, flow }];
  await house.configure({ experiment: `walk-${flow}`, variants }, { flows: others });
  await visitor.open();
  await walkThrough(visitor, screens);
  expect(house.taken(visitor.email)).toHaveLength(1);
});
