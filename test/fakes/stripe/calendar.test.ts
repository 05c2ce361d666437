import { describe, expect, test } from 'vitest';
import { planOf } from '../../../worker/catalog/plans.ts';
import { buyPlan, harness } from './harness.ts';

const day = 86_400_000;
const anchors = ['2027-01-28', '2027-01-29', '2027-01-30', '2027-01-31', '2028-02-29'];
const noon = (date: string) => Date.parse(`${date}T12:00:00Z`);

/** Buys so that the first renewal is anchored on a day, and lives until 13 months after it. */
async function lived(family: Parameters<typeof planOf>[0], anchor: string) {
  const plan = planOf(family, 'USD');
  const on = await harness({ start: noon(anchor) - plan.trialDays * day });
  const { subscription } = await buyPlan(on, plan);
  const end = new Date(noon(anchor));
  on.clock.until(Date.UTC(end.getUTCFullYear() + 1, end.getUTCMonth() + 1, 1, 14) + 30 * day);
  const { data } = await on.stripe.invoices.list({ subscription: subscription ?? '', limit: 100 });
  const sums = data.map(({ amount_paid }) => amount_paid).reverse();
  const dates = data.map(({ created }) => new Date(created * 1000).toISOString());
  return { dates: dates.reverse(), sums };
}

/** The day of a month that an anchor falls on, some months later: told by the calendar itself. */
function expected(anchor: string, months: number): string {
  const [year = 0, month = 0, date = 0] = anchor.split('-').map(Number);
  const right = new Date(Date.UTC(year, month - 1 + months, date, 12));
  const wanted = (((month - 1 + months) % 12) + 12) % 12;
  while (right.getUTCMonth() !== wanted) right.setUTCDate(right.getUTCDate() - 1);
  return right.toISOString();
}

describe.each(anchors)('anchored on %s', (anchor) => {
  test.each([
    ['monthly', 1],
    ['monthly_7d', 1],
    ['monthly_5d', 1],
    ['monthly_3d', 1],
    ['quarterly', 3],
  ] as const)('%s renews on that day, or on the last of a shorter month', async (family, step) => {
    const { price, today, trialDays } = planOf(family, 'USD');
    const { dates, sums } = await lived(family, anchor);
    const times = Math.floor(13 / step) + 1;
    const renewals = trialDays > 0 ? dates.slice(1) : dates;
    expect(renewals.slice(0, times)).toEqual(
      Array.from({ length: times }, (_, i) => expected(anchor, i * step)),
    );
    expect(sums).toEqual(dates.map((_, i) => (i === 0 ? today : price)));
  });
});

test('the table of an intro and of a quarter, from the days that months do not have', async () => {
  const rows = await Promise.all(
    (['monthly_3d', 'quarterly'] as const).flatMap((family) =>
      ['2027-01-31', '2028-02-29'].map(async (anchor) => {
        const { dates, sums } = await lived(family, anchor);
        return [
          `${family} ${anchor}`,
          ...dates.map((date, i) => `${date.slice(0, 10)} ${sums[i]}`),
        ];
      }),
    ),
  );
  expect(rows).toMatchInlineSnapshot(`
    [
      [
        "monthly_3d 2027-01-31",
        "2027-01-28 299",
        "2027-01-31 3999",
        "2027-02-28 3999",
        "2027-03-31 3999",
        "2027-04-30 3999",
        "2027-05-31 3999",
        "2027-06-30 3999",
        "2027-07-31 3999",
        "2027-08-31 3999",
        "2027-09-30 3999",
        "2027-10-31 3999",
        "2027-11-30 3999",
        "2027-12-31 3999",
        "2028-01-31 3999",
        "2028-02-29 3999",
      ],
      [
        "monthly_3d 2028-02-29",
        "2028-02-26 299",
        "2028-02-29 3999",
        "2028-03-29 3999",
        "2028-04-29 3999",
        "2028-05-29 3999",
        "2028-06-29 3999",
        "2028-07-29 3999",
        "2028-08-29 3999",
        "2028-09-29 3999",
        "2028-10-29 3999",
        "2028-11-29 3999",
        "2028-12-29 3999",
        "2029-01-29 3999",
        "2029-02-28 3999",
        "2029-03-29 3999",
      ],
      [
        "quarterly 2027-01-31",
        "2027-01-31 5999",
        "2027-04-30 5999",
        "2027-07-31 5999",
        "2027-10-31 5999",
        "2028-01-31 5999",
      ],
      [
        "quarterly 2028-02-29",
        "2028-02-29 5999",
        "2028-05-29 5999",
        "2028-08-29 5999",
        "2028-11-29 5999",
        "2029-02-28 5999",
      ],
    ]
  `);
});
