import { expect, test, vi } from 'vitest';
import { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import { type Plan, periods } from '../../../../worker/catalog/rules/plans.ts';
import { addPeriods } from '../../../../worker/catalog/rules/renewal-date.ts';
import type { EmailMessage } from '../../../../worker/email/enqueue-email.ts';
import { gatewayTraits } from '../../../../worker/payments/purchase/gateway-traits.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  dayMs,
  gateways,
  hourMs,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import { buyPlan, ownedIn } from './change-helpers.ts';

const months = { week: 0, month: 1, quarter: 3, half_year: 6, year: 12 };
const renewing = periods.filter((period) => period !== 'once');

const catalog = new Catalog({
  currencies: ['USD'],
  products: Object.fromEntries(
    renewing.flatMap((period) =>
      [0, 5, 14].map((days) => [
        `${period}_${days}`,
        {
          slot: 'main' as const,
          label: period,
          period,
          grace_days: 6,
          versions: {
            1: {
              prices: { USD: minor(4000 + renewing.indexOf(period)) },
              ...(days === 5 && { intro: { days, prices: { USD: minor(150) } } }),
              ...(days === 14 && { intro: { days, free: true as const } }),
            },
          },
        },
      ]),
    ),
  ),
});

/** The end of a month, and of a leap February. */
const starts = ['2027-01-31T12:00Z', '2028-02-29T12:00Z'];
const cases = gateways.flatMap((gateway) =>
  renewing
    .filter((period) => gatewayTraits[gateway].bills({ period }))
    .flatMap((period) =>
      starts.flatMap((from) => [0, 5, 14].map((intro) => [gateway, period, intro, from] as const)),
    ),
);

/** The fixture fails if a charge was not announced: told is charged, over 13 months. */
test.each(cases)(
  'periods: %s: a %s with an intro of %i days, of 14 free, from %s',
  async (gateway, period, intro, from) => {
    const start = Date.parse(from);
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const plan = catalog.planOf(`${period}_${intro}`, 'USD');
    const fakes = stubGateways({ cycleOf: () => months[period] });
    const nonce = approved[gateway];
    const { stub, purchase } = buyer({
      gateway,
      nonce,
      plan: plan.id,
      soldPlan: plan,
      terms: shownTerms(),
    });
    const sent: EmailMessage[] = [];
    const more = { EMAIL_QUEUE: { send: async (email: EmailMessage) => sent.push(email) } };
    const first = intro ? start + intro * dayMs : addPeriods(start, period, 1);
    const renewals = Array.from({ length: 60 }, (_, count) =>
      addPeriods(first, period, count),
    ).filter((at) => at < start + 400 * dayMs);
    const walk = async (driven: DrivenObject) => {
      await buyPlan(driven, purchase);
      const end = (renewals.at(-1) ?? start) + 3 * dayMs;
      while (Date.now() < end) {
        await driven.passTime(12 * hourMs);
        fakes.stripe.passTime();
        await fakes.braintree.passTime();
      }
      await driven.run((object) => object.sync());
      const charged = remainingAmounts(fakes.captured());
      const today = plan.today > 0 ? [plan.today] : [];
      expect(charged).toEqual([...today, ...renewals.map(() => plan.price)]);
      expect(ownedIn(driven).amounts).toEqual(charged);
      expect(driven.object().activePlan('main')).not.toBeNull();
    };
    await driveObject(stub, walk, undefined, more as unknown as Partial<Env>);
    // A week before a trial ends, to the minute; a day before a paid intro.
    const reminders = sent.flatMap(({ template, data }) =>
      template === 'renewal_reminder' ? [(data as unknown as Announced).at] : [],
    );
    const lead = intro === 14 ? 7 : 1;
    if (intro) expect(reminders[0]).toBe(first - lead * dayMs);
    expect(noticesIn(sent, plan)).toEqual(
      // The end of a short intro has its own reminder, a day before.
      months[period] >= 6 ? renewals.slice(intro ? 1 : 0).map(() => 'in time') : [],
    );
  },
);

interface Announced {
  early?: true;
  renews: number;
  at: number;
  plan: Pick<Plan, 'price'>;
}

/** The e-mails weeks before a renewal. */
const noticesIn = (sent: readonly EmailMessage[], { price }: Plan): string[] =>
  sent.flatMap(({ data }) => {
    const { early, renews, at, plan } = data as unknown as Announced;
    if (!early) return [];
    expect(plan.price).toBe(price);
    const days = (renews - at) / dayMs;
    return [days >= 7 && days <= 30 ? 'in time' : `${days} days before`];
  });

test('periods: a weekly plan that names Braintree is refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-31') });
  stubGateways();
  const plan = catalog.planOf('week_0', 'USD');
  const nonce = approved.braintree;
  const { stub, purchase } = buyer({ gateway: 'braintree', nonce, plan: plan.id, soldPlan: plan });
  expect(await stub.buy(purchase)).toEqual({ kind: 'refused', refusal: 'method_not_offered' });
});
