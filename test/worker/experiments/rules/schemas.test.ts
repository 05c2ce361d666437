import * as v from 'valibot';
import { expect, test } from 'vitest';
import { planFamilies, planOf } from '../../../../worker/catalog/plans.ts';
import { configSchema } from '../../../../worker/experiments/rules/schemas.ts';

const variants = [{ key: 'fullPrice', weight: 100, flow: 'default' }];
const whole = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };
const takes = (offer: object) =>
  v.is(configSchema, { experiment: 'e', variants, offers: { fullPrice: { ...whole, ...offer } } });

test.each(planFamilies)(
  '%s can be offered as what it is sold as, and as nothing else',
  (family) => {
    const { slot } = planOf(family, 'USD');
    expect([
      takes({ plans: [family] }),
      takes({ upsell: family }),
      takes({ guide: family }),
    ]).toEqual([slot === 'main', slot === 'upsell', slot === 'guide']);
  },
);
