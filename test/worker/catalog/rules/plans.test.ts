import { expect, test } from 'vitest';
import { monthsOfPeriod } from '../../../../locales/format/periods.ts';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { type PlanFamily, renewalPrice } from '../../../../worker/catalog/rules/plans.ts';
import { loadEnglish, translationsFor } from '../../../../worker/content/translations.ts';
import { renewals, viewOf } from '../../../renewal-placeholders.ts';

await loadEnglish();

/** From the specification: the charge today and at each renewal, in minor units, and the period. */
const catalog = {
  monthly: [3999, 3999, 'month', 0],
  quarterly: [5999, 5999, 'quarter', 0],
  monthly_7d: [699, 3999, 'month', 7],
  monthly_5d: [499, 3999, 'month', 5],
  monthly_3d: [299, 3999, 'month', 3],
  upsell_monthly_999: [999, 999, 'month', 0],
  upsell_monthly_799: [799, 799, 'month', 0],
  upsell_monthly_599: [599, 599, 'month', 0],
  upsell_quarterly_999: [999, 999, 'quarter', 0],
  upsell_quarterly_799: [799, 799, 'quarter', 0],
  upsell_quarterly_599: [599, 599, 'quarter', 0],
  guide_899: [899, 899, 'once', 0],
  guide_1799: [1799, 1799, 'once', 0],
} as const satisfies Record<PlanFamily, unknown>;

const rows = Object.entries(catalog).flatMap(([family, [today, price, period, introDays]]) =>
  (['USD', 'EUR'] as const).map((currency) => ({
    id: `${family}_${currency.toLowerCase()}`,
    family: family as PlanFamily,
    currency,
    today,
    price,
    period,
    introDays,
  })),
);

test.each(rows)('plans: $id charges $today today and $price per $period', (row) => {
  expect(builtInCatalog.planById(row.id)).toMatchObject(row);
  expect(builtInCatalog.planOf(row.family, row.currency)).toBe(builtInCatalog.planById(row.id));
});

test('plans: exactly the families of the specification, in its order', () =>
  expect(builtInCatalog.families).toEqual(Object.keys(catalog)));

test('plans: the receipt label does not depend on the price', () => {
  const labels = builtInCatalog.families.map(
    (family) => builtInCatalog.planOf(family, 'USD').productId,
  );
  expect([...new Set(labels)]).toEqual([
    'Monthly plan',
    'Quarterly plan',
    'Monthly plan, 7-day intro',
    'Monthly plan, 5-day intro',
    'Monthly plan, 3-day intro',
    'Anonymous mode and private chat, monthly',
    'Anonymous mode and private chat, quarterly',
    'Family safety toolkit',
  ]);
});

test('plans: a plan has the slot of its family', () => {
  for (const { id, family } of rows) {
    const slot = /^(upsell|guide)/.exec(family)?.[0] ?? 'main';
    expect(builtInCatalog.planById(id)?.slot).toBe(slot);
  }
});

test.each([
  '',
  'monthly',
  'monthly_xau',
  'monthly_USD',
  'MONTHLY_usd',
  'monthly_usd ',
  'monthly_7d',
  '__proto__',
  'constructor',
  'toString_usd',
])('plans: %j is not a plan', (id) => expect(builtInCatalog.planById(id)).toBeUndefined());

test('plans: an unknown family or currency throws', () => {
  expect(() => builtInCatalog.planOf('__proto__' as PlanFamily, 'USD')).toThrow(RangeError);
  expect(() => builtInCatalog.planOf('monthly', 'XAU' as 'USD')).toThrow(RangeError);
});

const shown = (family: PlanFamily) => viewOf(builtInCatalog.planOf(family, 'EUR'));

test('plans: only an intro announces a reminder', () => {
  const announced = builtInCatalog.families.filter((family) => shown(family).reminder !== '');
  expect(announced).toEqual(['monthly_7d', 'monthly_5d', 'monthly_3d']);
});

test('plans: only the quarter advertises a saving, 50 percent of the monthly price', () => {
  const savings = builtInCatalog.families.map((family) => [family, shown(family).saving]);
  expect(savings.filter(([, saving]) => saving)).toEqual([
    ['quarterly', { percent: 50, monthly: 3999 }],
  ]);
});

test('plans: the guides’ list price is 20 higher; with a coupon it is the undiscounted price', () => {
  const lists = builtInCatalog.families.map((family) => [family, shown(family).listPrice]);
  expect(lists.filter(([, price]) => price !== null)).toEqual([
    ['upsell_monthly_999', 999],
    ['upsell_quarterly_999', 999],
    ['guide_899', 2899],
    ['guide_1799', 3799],
  ]);
  expect([shown('guide_899').periodPrice, shown('guide_1799').periodPrice]).toEqual([899, 1799]);
});

test('plans: the page shows the amount that is charged', () => {
  expect(shown('monthly_7d')).toEqual({
    id: 'monthly_7d_eur',
    family: 'monthly_7d',
    slot: 'main',
    currency: 'EUR',
    price: 3999,
    periodPrice: 699,
    period: 'month',
    introDays: 7,
    saving: null,
    listPrice: null,
    coupon: null,
    renewal: renewals.renewal(7),
    reminder: renewals.reminder(7),
    bestValue: false,
    preselected: false,
  });
});

test.each([
  ['monthly', 'plans.month', 'plans.line.renews', 'summary.until'],
  ['quarterly', 'plans.quarter', 'plans.line.renews', 'summary.until'],
  ['monthly_3d', 'plans.intro', 'plans.line.intro', 'summary.until'],
  ['upsell_monthly_999', 'upsell.an_private.title', 'upsell.price', 'checkout.cancel'],
  ['upsell_quarterly_999', 'upsell.an_private.title', 'upsell.price', 'checkout.cancel'],
  ['guide_899', 'upsell.guide.title', 'upsell.once', 'summary.once'],
] as const)('plans: the words of %s name its own period', (family, name, description, disclaimer) =>
  expect(builtInCatalog.planOf(family, 'EUR')).toMatchObject({ name, description, disclaimer }),
);

test('plans: a page shows the built-in coupon and deducts it from both charges', () => {
  expect(shown('upsell_quarterly_999')).toMatchObject({
    price: 699,
    periodPrice: 699,
    coupon: { full: 999, percent: 30 },
  });
});

test('plans: renewals are discounted only for purchases with the built-in coupon', () => {
  const row = builtInCatalog.planOf('upsell_monthly_999', 'EUR');
  expect([renewalPrice(row, 'UPSELL30'), renewalPrice(row, null)]).toEqual([699, 999]);
  expect(renewalPrice(builtInCatalog.planOf('monthly', 'USD'), 'UPSELL30')).toBe(3999);
});

test('plans: a page shows the first renewal, none for a one-time purchase', () => {
  const families = [
    'monthly',
    'quarterly',
    'monthly_5d',
    'upsell_quarterly_799',
    'guide_1799',
  ] as const;
  const [month, quarter, five] = (['month', 'quarter', 5] as const).map(renewals.renewal);
  expect(families.map((family) => shown(family).renewal)).toEqual([
    month,
    quarter,
    five,
    quarter,
    '',
  ]);
});

test.each(builtInCatalog.families)(
  'plans: %s has texts, a currency symbol and a duration',
  (family) => {
    const { screens: t } = translationsFor('en');
    for (const currency of ['USD', 'EUR'] as const) {
      const plan = builtInCatalog.planOf(family, currency);
      for (const key of [plan.name, plan.description, plan.disclaimer]) {
        const text = t(key, { count: 7, price: '1', today: '1', every: 'x' });
        expect(text).not.toBe(key);
        expect(text).not.toContain('{{');
      }
      expect(plan.currencySymbol).toBe(currency === 'USD' ? '$' : '€');
      const lasts = plan.period === 'once' ? '' : `${monthsOfPeriod[plan.period]} month`;
      const { count, unit } = plan.duration ?? {};
      expect([count, unit].join(' ').trim()).toBe(plan.introDays ? `${plan.introDays} day` : lasts);
    }
  },
);
