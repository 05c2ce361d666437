import { afterEach, expect, test, vi } from 'vitest';
import type { EmailMessage } from '../../../../worker/email/enqueue-email.ts';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import { receiptViews } from '../../../../worker/payments/notices/receipt.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { receivedPurchase } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { planNamed, shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import {
  buy,
  buyer,
  dayMs,
  forgetIntros,
  gateways,
  hourMs,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import { trialPlan } from '../trial-plan.ts';
import { acceptAllCards, cardRequest, declineAllCards, sendCard } from './card-fixture.ts';
import { buyPlan, casesAt, changeRequest, ownedIn } from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
const ends = start + 14 * dayMs;
const extra = { soldPlan: planNamed('upsell_monthly_799_usd'), nonce: null };

interface Scene {
  driven: DrivenObject;
  fakes: ReturnType<typeof stubGateways>;
  purchase: Purchase;
  id: AttemptId;
  sent: EmailMessage[];
  /** Lets time pass, at the gateways too. */
  untilDay: (days: number) => Promise<void>;
}

const isActive = ({ driven }: Scene) => driven.object().activePlan('main') !== null;
const templates = ({ sent }: Scene) => sent.map(({ template }) => template);

async function buyExtra({ driven, purchase, untilDay }: Scene): Promise<void> {
  await untilDay(3);
  await buyPlan(driven, { ...purchase, ...extra });
}

/** What the owner or time does in a trial of 14 days of a plan of 39.99, and everything that is charged in 80 days. */
const scenarios: Record<string, { act: (scene: Scene) => Promise<void>; charged: number[] }> = {
  'nothing happens': {
    async act(scene) {
      expect(isActive(scene)).toBe(true);
      expect(ownedIn(scene.driven).rows).toEqual([]);
      const [first] = scene.sent;
      expect(first?.template).toBe('purchase_confirmation');
      expect(first?.data).toMatchObject({ paid: 0, renews: ends, plan: { isFree: true } });
      expect(first?.data).not.toHaveProperty('receipt', expect.anything());
      await scene.untilDay(16);
      expect(templates(scene)).toEqual([
        'purchase_confirmation',
        'renewal_reminder',
        'renewal_receipt',
      ]);
      expect(scene.sent[1]?.data).toMatchObject({ at: ends - 7 * dayMs, renews: ends });
    },
    charged: [3999, 3999, 3999],
  },
  'it is cancelled: access until its end': {
    async act(scene) {
      await scene.untilDay(3);
      await scene.driven.run((object) => object.cancelSubscription(scene.id));
      await scene.untilDay(13);
      expect(isActive(scene)).toBe(true);
      expect(templates(scene)).not.toContain('renewal_reminder');
      await scene.untilDay(15);
      expect(isActive(scene)).toBe(false);
    },
    charged: [],
  },
  'it is cancelled, and continued': {
    async act(scene) {
      await scene.driven.run((object) => object.cancelSubscription(scene.id));
      await scene.untilDay(3);
      await scene.driven.run((object) => object.resumeSubscription(scene.id));
      await scene.untilDay(15);
      expect(isActive(scene)).toBe(true);
    },
    charged: [3999, 3999, 3999],
  },
  'it is withdrawn: access ends at once': {
    async act(scene) {
      await scene.untilDay(3);
      await scene.driven.run((object) => object.withdraw(scene.id));
      expect(isActive(scene)).toBe(false);
      await scene.untilDay(4);
      expect(templates(scene)).toEqual(['purchase_confirmation', 'withdrawal']);
    },
    charged: [],
  },
  'its account is deleted': {
    async act(scene) {
      await scene.untilDay(3);
      await scene.driven.run((object) => object.deleteAccount(async () => null));
      await scene.untilDay(4);
    },
    charged: [],
  },
  'an extra is bought: paid at once, and monthly from that day': {
    async act(scene) {
      await buyExtra(scene);
      expect(scene.sent.at(-1)).toMatchObject({
        template: 'purchase_confirmation',
        data: { paid: 799, receipt: expect.any(String), renews: Date.UTC(2027, 1, 18, 12) },
      });
      const [receipt, ...more] = scene.driven
        .object()
        .ownedSubscriptions()
        .flatMap((one) => receiptViews(receivedPurchase(one)));
      expect([receipt?.slot, receipt?.amount, more]).toEqual(['upsell', 799, []]);
    },
    charged: [799, 3999, 799, 3999, 799, 3999],
  },
  'an extra is bought, and the trial cancelled: it lasts its month': {
    async act(scene) {
      await buyExtra(scene);
      await scene.driven.run((object) => object.cancelSubscription(scene.id));
      await scene.untilDay(15);
      expect([isActive(scene), ownedIn(scene.driven, 'upsell').isUsable]).toEqual([false, true]);
      await scene.untilDay(35);
      expect(ownedIn(scene.driven, 'upsell').isUsable).toBe(false);
    },
    charged: [799],
  },
  'an extra is bought, and the trial withdrawn: the extra is refunded': {
    async act(scene) {
      await buyExtra(scene);
      await scene.driven.run((object) => object.withdraw(scene.id));
      await scene.untilDay(4);
      expect(ownedIn(scene.driven, 'upsell').amounts).toEqual([799, -799]);
    },
    charged: [0],
  },
  'an extra is bought, and the first charge of the plan declined: the extra ends too': {
    async act(scene) {
      await buyExtra(scene);
      declineAllCards(scene.fakes);
      await scene.untilDay(17);
      expect(ownedIn(scene.driven, 'upsell').ends).toBe(true);
    },
    charged: [799],
  },
  'another plan and a pause are refused': {
    async act({ driven, id }) {
      for (const kind of ['upgrade', 'switch', 'pause'] as const)
        expect(
          await driven.run((object) => object.quoteChange(id, changeRequest({ kind }))),
        ).toMatchObject({ kind: 'refused' });
    },
    charged: [3999, 3999, 3999],
  },
  'the first charge is declined: access ends a day later': {
    async act(scene) {
      declineAllCards(scene.fakes);
      await scene.untilDay(14.9);
      expect(isActive(scene)).toBe(true);
      await scene.untilDay(15.6);
      expect(isActive(scene)).toBe(false);
    },
    charged: [],
  },
  'the first charge is declined, and a new card pays': {
    async act(scene) {
      declineAllCards(scene.fakes);
      await scene.untilDay(17);
      acceptAllCards(scene.fakes);
      const { state } = await sendCard(scene.driven, cardRequest(scene.purchase));
      expect(state).toBe('done');
      expect(isActive(scene)).toBe(true);
    },
    charged: [3999, 3999, 3999],
  },
  'the first charge is refunded by an operator: it ends': {
    async act(scene) {
      await scene.untilDay(16);
      const [row] = ownedIn(scene.driven).rows;
      if (!row) throw new Error('not charged');
      const refund = () => scene.driven.run((object) => object.refund(row.paymentId, null, 'k'));
      await refund();
      await scene.untilDay(18);
      expect(isActive(scene)).toBe(false);
    },
    charged: [0],
  },
};

async function scene(
  gateway: GatewayName,
  use: (scene: Scene) => Promise<void>,
  nonce = approved[gateway],
) {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await forgetIntros();
  const fakes = stubGateways({ unpaidTrialStatus: 'trialing' });
  const { stub, purchase } = buyer({
    gateway,
    nonce,
    soldPlan: trialPlan(),
    terms: shownTerms(),
  });
  const sent: EmailMessage[] = [];
  const queue = { EMAIL_QUEUE: { send: async (email: EmailMessage) => sent.push(email) } };
  const walk = async (driven: DrivenObject) => {
    const id = await buyPlan(driven, purchase);
    expect(fakes.captured()).toEqual([]);
    const untilDay = async (days: number) => {
      while (Date.now() < start + days * dayMs) {
        await driven.passTime(Math.min(12 * hourMs, start + days * dayMs - Date.now()));
        fakes.stripe.passTime();
        await fakes.braintree.passTime();
      }
      await driven.run((object) => object.sync());
    };
    await use({ driven, fakes, purchase, id, sent, untilDay });
  };
  await driveObject(stub, walk, undefined, queue as unknown as Partial<Env>);
}

afterEach(() => vi.useRealTimers());

test.each(casesAt(gateways, scenarios))(
  'free trial: %s: %s',
  async (gateway, _name, { act, charged }) => {
    await scene(gateway, async (one) => {
      await act(one);
      await one.untilDay(80);
      expect(remainingAmounts(one.fakes.captured())).toEqual(charged);
    });
  },
);

test.each([
  'fake-paypal-billing-agreement-nonce',
  'fake-apple-pay-visa-nonce',
  'fake-android-pay-visa-nonce',
])('free trial: braintree: a wallet is charged at its end: %s', (nonce) =>
  scene(
    'braintree',
    async ({ fakes, untilDay }) => {
      await untilDay(16);
      expect(remainingAmounts(fakes.captured())).toEqual([3999]);
    },
    nonce,
  ),
);

test.each(gateways)('free trial: %s: one for each person, and for each card', async (gateway) => {
  await scene(gateway, async ({ driven, fakes, purchase, id, untilDay }) => {
    await driven.run((object) => object.cancelSubscription(id));
    await untilDay(20);
    const again = await driven.run((object) => object.buy(purchase));
    expect(again).toEqual({ kind: 'refused', refusal: 'intro_used' });
    expect(fakes.captured()).toEqual([]);
  });
  vi.useRealTimers();
  await forgetIntros();
  const fakes = stubGateways();
  const trial = { gateway, nonce: approved[gateway], soldPlan: trialPlan() };
  const people = [buyer(trial), buyer(trial)];
  const [first, second] = people;
  expect(first && (await buy(first.stub, first.purchase))).toMatchObject({ state: 'active' });
  expect(second && (await buy(second.stub, second.purchase))).toMatchObject({
    state: 'failed',
    refusal: 'intro_used',
  });
  expect(fakes.captured()).toEqual([]);
});
