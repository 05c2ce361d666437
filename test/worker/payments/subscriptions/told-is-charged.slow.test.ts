import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import { discountOf } from '../../../../worker/catalog/rules/coupons.ts';
import type { Notice } from '../../../../worker/payments/notices/email-notices.ts';
import { sells } from '../../../../worker/payments/purchase/gateway-traits.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import { buyer, dayMs, type Fetch, gateways, stubGateways } from '../payments-fixture.ts';
import { buyPlan } from './change-helpers.ts';
import {
  type Account,
  accounts,
  catalogs,
  couponsByCode,
  months,
  renewing,
} from './told-scenarios.ts';
import { Year } from './told-year.ts';

async function simulate(account: Account) {
  const { gateway, period, intro, from, code, days } = account;
  const start = Date.parse(`${from}T12:00Z`);
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const withMail =
    (next: Fetch): Fetch =>
    async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (!url.includes('api.resend.com')) return next(input, init);
      return Response.json({ last_event: url.includes('bounced') ? 'bounced' : 'delivered' });
    };
  const cycleOf = (id: string) => {
    const named = renewing.find((one) => id.startsWith(`${one}_`));
    return named && months[named];
  };
  const fakes = stubGateways({ wrap: withMail, cycleOf });
  const plan = (catalogs[0] as Catalog).planOf(`${period}_${intro}`, 'USD');
  const discount = code && intro !== 14 ? discountOf(couponsByCode, code, plan, start) : null;
  const { stub, purchase } = buyer({
    ...{ gateway, nonce: approved[gateway], plan: plan.id, soldPlan: plan, terms: shownTerms() },
    coupon: discount,
  });
  const heard: Notice[] = [];
  const { notify } = PurchaseStorage.prototype;
  let year: Year | null = null;
  vi.spyOn(PurchaseStorage.prototype, 'notify').mockImplementation(function (
    this: PurchaseStorage,
    attempt,
    notice,
  ) {
    if (year) year.hear(notice);
    else heard.push(notice);
    notify.call(this, attempt, notice);
  });
  return driveObject(stub, async (driven) => {
    const id = await buyPlan(driven, purchase);
    const sim = new Year(driven, id, fakes);
    year = sim;
    for (const notice of heard) sim.hear(notice);
    const off = discount?.kind === 'discount' ? discount.discount : 0;
    sim.expectNow(plan.today > 0 ? [plan.today - off] : []);
    const queue = [...account.events];
    let acceptAt = 0;
    while (Date.now() < start + days * dayMs) {
      while (queue[0] && Date.now() >= start + queue[0].day * dayMs) {
        const event = queue.shift();
        if (event) await sim.act(event.kind);
        if (event?.kind.startsWith('decline')) acceptAt = Date.now() + 3 * dayMs;
      }
      if (acceptAt && Date.now() >= acceptAt) {
        acceptAt = 0;
        sim.acceptCards();
      }
      await sim.step(env.FULL ? 12 : 24);
    }
    await driven.run((object) => object.sync());
    const refunded = fakes.captured().reduce((sum, one) => sum + one.refunded, 0);
    const { differences, done, trail } = sim;
    if (refunded !== sim.refundTold) differences.push(`refund ${refunded}, told ${sim.refundTold}`);
    if (refunded !== sim.endShown) differences.push(`refund ${refunded}, shown ${sim.endShown}`);
    if (account.events.length === 0) {
      expect(driven.object().activePlan('main')).not.toBeNull();
      // A week before a trial ends, to the minute; a day before a paid intro.
      const lead = intro === 14 ? 7 : 1;
      if (intro) expect(sim.announced[0]?.at).toBe(start + (intro - lead) * dayMs);
    }
    return { differences, trail, done, charges: fakes.captured().length };
  });
}

test.each(accounts)(
  'told is charged: account $index, $gateway: a $period with an intro of $intro days from $from',
  async (account) => {
    const { differences, trail } = await simulate(account);
    expect(differences.length === 0 ? [] : [...differences, ...trail]).toEqual([]);
  },
);

test('told is charged: a weekly plan that names Braintree is refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-31') });
  stubGateways();
  const soldPlan = (catalogs[0] as Catalog).planOf('week_0', 'USD');
  const nonce = approved.braintree;
  const unsoldAt = gateways.filter((name) => !sells(name, soldPlan, {}));
  const sent = { gateway: 'braintree', nonce, plan: soldPlan.id, soldPlan, unsoldAt } as const;
  const { stub, purchase } = buyer(sent);
  expect(await stub.buy(purchase)).toEqual({ kind: 'refused', refusal: 'method_not_offered' });
});
