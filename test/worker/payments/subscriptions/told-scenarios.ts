import { env } from 'cloudflare:test';
import { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import type { Coupon } from '../../../../worker/catalog/rules/coupons.ts';
import { periods } from '../../../../worker/catalog/rules/plans.ts';
import { gatewayTraits } from '../../../../worker/payments/purchase/gateway-traits.ts';
import { isLong } from '../../../../worker/payments/purchase/renewal-notice.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { seeded } from '../../../seeded-random.ts';
import { gateways } from '../payments-fixture.ts';

export const months = { week: 0, month: 1, quarter: 3, half_year: 6, year: 12 };
export const renewing = periods.filter((period) => period !== 'once');
const intros = [0, 5, 14] as const;
const versions = [1, 2, 3];

/** Each product has three versions, each dearer than the one before. */
export const catalogs = versions.map(
  (sells) =>
    new Catalog({
      currencies: ['USD'],
      products: Object.fromEntries(
        renewing.flatMap((period) =>
          intros.map((days) => [
            `${period}_${days}`,
            {
              ...{ slot: 'main' as const, label: period, period, grace_days: 6, sells },
              versions: Object.fromEntries(
                versions.map((version) => [
                  version,
                  {
                    prices: {
                      USD: minor(1000 * 2 ** renewing.indexOf(period) + 300 * version + days),
                    },
                    ...(days === 5 && { intro: { days, prices: { USD: minor(150) } } }),
                    ...(days === 14 && { intro: { days, free: true as const } }),
                  },
                ]),
              ),
            },
          ]),
        ),
      ),
    }),
);

/** Of the first payment alone, and of some renewals too. */
export const couponsByCode = new Map<string, Coupon>([
  ['FIRST', { percent: 25 }],
  ['ONE', { percent: 25, renewals: 1 }],
  ['THREE', { amount: minor(300), renewals: 3 }],
]);

const events = [
  ...(['publish', 'raise', 'raise, bounced', 'raise, agreed', 'raise, unanswered'] as const),
  ...(['cancel', 'cancel and undo', 'pause', 'resume', 'switch', 'upgrade'] as const),
  ...(['end early', 'decline for three days'] as const),
];
export type Event = (typeof events)[number];

/** The end of a month, of a leap February, of a year and of the month before a leap February. */
const starts = ['2027-01-31', '2028-02-29', '2027-12-31', '2028-01-31', '2027-06-15'];

const kinds = gateways.flatMap((gateway) =>
  renewing
    .filter((period) => gatewayTraits[gateway].bills({ period }))
    .flatMap((period) => intros.map((intro) => ({ gateway, period, intro }))),
);

/** Long enough for two renewals of a long period, and for all that a coupon reduces of a short one. */
function daysOf(kind: (typeof kinds)[number]): number {
  if (isLong(kind)) return 800;
  return env.FULL || kind.period === 'quarter' ? 400 : 200;
}

export const accounts = Array.from({ length: kinds.length * (env.FULL ? 20 : 2) }, (_, index) => {
  const random = seeded(index + 1);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const kind = kinds[index % kinds.length] as (typeof kinds)[number];
  const days = daysOf(kind);
  return {
    ...kind,
    index,
    days,
    from: oneOf(starts),
    code: random() < 0.5 ? oneOf([...couponsByCode.keys()]) : null,
    // The first of each kind is left alone.
    events: Array.from({ length: index < kinds.length ? 0 : 1 + Math.floor(random() * 4) }, () => ({
      day: 2 + Math.floor(random() * (days - 40)),
      kind: oneOf(events),
    })).sort((a, b) => a.day - b.day),
  };
});

export type Account = (typeof accounts)[number];
