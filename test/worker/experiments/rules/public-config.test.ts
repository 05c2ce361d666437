import { expect, test } from 'vitest';
import {
  publicConfig,
  readDocuments,
} from '../../../../worker/experiments/rules/config-documents.ts';
import { builtInFlows } from '../../../../worker/experiments/rules/flows.ts';

const offer = { plans: ['monthly_7d'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };
const config = {
  experiment: 'prices',
  variants: [
    { key: 'fullPrice', weight: 100, flow: 'default', note: 'the winner so far' },
    { key: 'intro/7d', weight: 0, flow: 'short' },
  ],
  offers: { 'intro/7d': offer },
  coupons: { FAMILY50: { percent: 50 } },
  next: { experiment: 'winter' },
};
const flows = {
  flows: { short: ['one_pager', 'checkout_v3_pp', 'success'] },
  aliases: { start: 'one_pager' },
  draft: { winter: ['one_pager'] },
};

test('public config: only variants with weight, flows and aliases are public', () => {
  const texts = [JSON.stringify(config), JSON.stringify(flows)] as const;
  const published = publicConfig(readDocuments(...texts, true));
  expect(JSON.parse(published['config.json'])).toEqual({
    experiment: 'prices',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  });
  expect(JSON.parse(published['flows.json'])).toEqual({
    flows: { ...builtInFlows, ...flows.flows },
    aliases: flows.aliases,
  });
});
