import { expect, test, vi } from 'vitest';
import type { Notice } from '../../../../worker/payments/notices/email-notices.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { receivedPurchase } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { subscriptionView } from '../../../../worker/payments/subscriptions/rules/purchase-view.ts';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import { cycleOfOurs } from '../../../fakes/braintree/server.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  dayMs,
  type Fetch,
  gateways,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import {
  buyPlan,
  casesAt,
  getQuote,
  makeChange,
  ownedIn,
  runAlarmsUntil,
} from './change-helpers.ts';
import { announce, dearer, deliverNotice, raiseOf, raiseTo } from './raise-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
/** The operator's date, and the renewals around it. */
const date = Date.UTC(2027, 2, 1);
const february = Date.UTC(2027, 1, 16);
const april = Date.UTC(2027, 3, 20);
const day = (at: number | null | undefined) => new Date(at ?? 0).toISOString().slice(0, 10);

interface Scene {
  driven: DrivenObject;
  id: AttemptId;
  fakes: ReturnType<typeof stubGateways>;
  /** The e-mails of a template, oldest first. */
  mails: (template: Notice['template']) => Extract<Notice, { template: string }>['data'][];
  /** What the e-mail's vendor says of a mail; 403 for a key that may only send. */
  mail: { event: string | null };
  /** Plans that are missing at Braintree. */
  missing: Set<string>;
  view: () => ReturnType<typeof subscriptionView>;
}

async function scenario(gateway: GatewayName, act: (scene: Scene) => Promise<void>) {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const mail: Scene['mail'] = { event: 'delivered' };
  const missing: Scene['missing'] = new Set();
  const withMail =
    (next: Fetch): Fetch =>
    async (input, init) => {
      if (!String(input).includes('api.resend.com')) return next(input, init);
      const { event } = mail;
      return event ? Response.json({ last_event: event }) : new Response('', { status: 403 });
    };
  const fakes = stubGateways({
    wrap: withMail,
    cycleOf: (plan) => (missing.has(plan) ? undefined : cycleOfOurs(plan)),
  });
  const sent: Notice[] = [];
  const { notify } = PurchaseStorage.prototype;
  vi.spyOn(PurchaseStorage.prototype, 'notify').mockImplementation(function (
    this: PurchaseStorage,
    attempt,
    notice,
  ) {
    sent.push(notice);
    notify.call(this, attempt, notice);
  });
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
  await driveObject(stub, async (driven) => {
    const id = await buyPlan(driven, purchase);
    const mails: Scene['mails'] = (template) =>
      sent.filter((one) => one.template === template).map(({ data }) => data);
    const view = () => {
      const [one] = driven.object().ownedSubscriptions();
      if (!one) throw new Error('nothing owned');
      return subscriptionView({ ...receivedPurchase(one), agreeLabel: 'Agree' }, Date.now());
    };
    await act({ driven, id, fakes, mails, mail, missing, view });
  });
}

const amounts = ({ driven, fakes }: Scene) => {
  const own = ownedIn(driven).amounts;
  expect(remainingAmounts(fakes.captured()).sort()).toEqual([...own].sort());
  return own;
};

const scenarios: Record<string, (scene: Scene) => Promise<void>> = {
  async 'the price of the mail is charged on its day, and the receipts say so'(scene) {
    const { driven, mails, view } = scene;
    await announce(driven, raiseTo(date));
    const [notice] = mails('price_raise');
    expect(notice).toMatchObject({ step: 'noticed', before: 3999, next: { amount: 4999 } });
    expect(day(raiseOf(driven).at)).toBe('2027-03-15');
    expect(view().next?.amount).toBe(3999);
    await runAlarmsUntil(driven, february);
    // The receipt of the last renewal at the old price tells the next one.
    expect(mails('renewal_receipt')).toMatchObject([{ paid: 3999, plan: { price: 4999 } }]);
    expect(view().next).toMatchObject({ amount: 4999 });
    expect(view().nextPlan).toMatchObject({ id: 'monthly@2_usd', price: 4999 });
    await runAlarmsUntil(driven, Date.UTC(2027, 2, 13));
    expect(raiseOf(driven).state).toBe('scheduled');
    expect(view().changes).toMatchObject({ continue: false, switch: [], upgrade: [] });
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999, 4999, 4999]);
    expect(raiseOf(driven).state).toBe('applied');
    expect(ownedIn(driven).plan).toBe('monthly@2_usd');
    expect(mails('renewal_receipt').map((data) => 'paid' in data && data.paid)).toEqual([
      3999, 4999, 4999,
    ]);
  },
  async 'a repeated command and repeated notices announce once; a list changes nothing'(scene) {
    const { driven, mails } = scene;
    const list = await driven.run((object) =>
      object.raisePrices(raiseTo(date, { isStart: false })),
    );
    expect(list).toMatchObject([{ state: 'new', before: 3999, after: 4999 }]);
    expect(ownedIn(driven).subscription.raise).toBeNull();
    await announce(driven, raiseTo(date));
    await deliverNotice(driven, false);
    for (let again = 0; again < 2; again += 1) {
      const rows = await driven.run((object) => object.raisePrices(raiseTo(date)));
      expect(rows).toMatchObject([{ state: 'announced', why: null }]);
    }
    const other = { ...dearer, id: 'monthly@3_usd' };
    const second = await driven.run((object) =>
      object.raisePrices(raiseTo(date, { plans: [other] })),
    );
    expect(second).toMatchObject([{ state: 'open' }]);
    expect(mails('price_raise')).toHaveLength(1);
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999, 4999, 4999]);
    const report = await driven.run((object) => object.raisePrices(raiseTo(date)));
    expect(report).toMatchObject([{ state: 'applied', before: 4999 }]);
  },
  async 'without the yes the price stays, with it the page’s day and price are charged'(scene) {
    const { driven, id, mails, view } = scene;
    await announce(driven, raiseTo(date, { needsYes: true }));
    expect(mails('price_raise')).toMatchObject([{ step: 'asked' }]);
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999, 3999, 3999]);
    const [asked] = view().changes.switch;
    expect(asked).toEqual({ id: 'monthly@2_usd', period: 'month', price: 4999, label: 'Agree' });
    const quote = await getQuote(driven, id, { kind: 'switch', plan: 'monthly@2_usd' });
    expect(quote).toMatchObject({ kind: 'agree', amount: 0, next: { amount: 4999 } });
    expect(day(quote.next.at)).toBe('2027-05-15');
    for (let again = 0; again < 2; again += 1) {
      const given = await driven.run((object) => object.confirmChange(id, quote.id));
      expect(given).toMatchObject({ kind: 'accepted', change: { state: 'done' } });
    }
    expect(view().changes.switch).toEqual([]);
    expect(mails('price_raise')).toMatchObject([{}, { step: 'agreed', next: { amount: 4999 } }]);
    await runAlarmsUntil(driven, Date.UTC(2027, 5, 20));
    expect(amounts(scene)).toEqual([3999, 3999, 3999, 3999, 4999, 4999]);
  },
  async 'a yes to a day that has passed meanwhile is asked for again'(scene) {
    const { driven, id } = scene;
    await announce(driven, raiseTo(date, { needsYes: true }));
    await runAlarmsUntil(driven, Date.UTC(2027, 2, 1));
    const paidUntil = ownedIn(driven).paidUntil ?? 0;
    vi.setSystemTime(paidUntil - 4 * dayMs - 5 * 60_000);
    const quote = await getQuote(driven, id, { kind: 'switch', plan: 'monthly@2_usd' });
    expect(day(quote.next.at)).toBe('2027-03-15');
    vi.setSystemTime(Date.now() + 10 * 60_000);
    const late = await driven.run((object) => object.confirmChange(id, quote.id));
    expect(late).toEqual({ kind: 'refused', refusal: 'quote_expired' });
  },
  async 'a notice that the vendor refuses stops the charge'(scene) {
    const { driven, mails } = scene;
    await driven.run((object) => object.raisePrices(raiseTo(date)));
    await deliverNotice(driven, false);
    expect(raiseOf(driven)).toMatchObject({ state: 'stopped', why: 'unnotified' });
    expect(mails('plan_change')).toMatchObject([{ kind: 'continue', next: { amount: 3999 } }]);
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999, 3999, 3999]);
  },
  async 'a notice that nobody sent in three days stops the charge, and another command tells again'(
    scene,
  ) {
    const { driven, mails } = scene;
    await driven.run((object) => object.raisePrices(raiseTo(date)));
    await runAlarmsUntil(driven, start + 4 * dayMs);
    expect(raiseOf(driven)).toMatchObject({ state: 'stopped', why: 'unnotified' });
    await announce(driven, raiseTo(date));
    expect(mails('price_raise')).toHaveLength(2);
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999, 4999, 4999]);
  },
  async 'a notice that bounced stops the charge'(scene) {
    const { driven, mail } = scene;
    mail.event = 'bounced';
    await driven.run((object) => object.raisePrices(raiseTo(date)));
    const { announcedAt } = raiseOf(driven);
    const sent = { id: `price_raise:${scene.id}:${announcedAt}`, isSent: true, mailId: 'm' };
    await driven.run((object) => object.noticed(sent));
    await runAlarmsUntil(driven, start + 4 * dayMs);
    expect(raiseOf(driven)).toMatchObject({ state: 'stopped', why: 'unnotified' });
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999, 3999, 3999]);
  },
  async 'a vendor that does not say whether it bounced stops nothing'(scene) {
    const { driven, mail } = scene;
    mail.event = null;
    await driven.run((object) => object.raisePrices(raiseTo(date)));
    const id = `price_raise:${scene.id}:${raiseOf(driven).announcedAt}`;
    await driven.run((object) => object.noticed({ id, isSent: true, mailId: 'm' }));
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999, 4999, 4999]);
  },
  async 'a cancellation is the answer, and its undoing keeps the old price'(scene) {
    const { driven, id } = scene;
    await announce(driven, raiseTo(date));
    await runAlarmsUntil(driven, Date.UTC(2027, 1, 20));
    await driven.run((object) => object.cancelSubscription(id));
    expect(raiseOf(driven)).toMatchObject({ state: 'stopped', why: 'ending' });
    await driven.runDueAlarms();
    await driven.run((object) => object.resumeSubscription(id));
    await driven.runDueAlarms();
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999, 3999, 3999]);
  },
  async 'a cancellation after the gateway was told ends it unraised'(scene) {
    const { driven, id } = scene;
    await announce(driven, raiseTo(date));
    await runAlarmsUntil(driven, Date.UTC(2027, 2, 13));
    expect(raiseOf(driven).state).toBe('scheduled');
    await driven.run((object) => object.cancelSubscription(id));
    await runAlarmsUntil(driven, april);
    expect(amounts(scene)).toEqual([3999, 3999]);
    expect(ownedIn(driven).status).toBe('ended');
  },
  async 'a switch and a pause stop it'(scene) {
    const { driven, id } = scene;
    await announce(driven, raiseTo(date));
    await runAlarmsUntil(driven, Date.UTC(2027, 1, 20));
    await makeChange(driven, id, { kind: 'pause', months: 1 });
    expect(raiseOf(driven)).toMatchObject({ state: 'stopped', why: 'paused' });
    const rows = await driven.run((object) => object.raisePrices(raiseTo(date)));
    expect(rows).toMatchObject([{ state: 'stopped', why: 'paused' }]);
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 17));
    expect(amounts(scene)).toEqual([3999, 3999, 3999]);
  },
  async 'a deleted account is neither told nor listed'(scene) {
    const { driven } = scene;
    await announce(driven, raiseTo(date));
    await driven.run((object) => object.deleteAccount(async () => null));
    expect(raiseOf(driven)).toMatchObject({ state: 'stopped', why: 'ending' });
    expect(await driven.run((object) => object.raisePrices(raiseTo(date)))).toEqual([]);
  },
};

test.each(casesAt(gateways, scenarios))('price raise: %s: %s', (gateway, _name, act) =>
  scenario(gateway, act),
);

test('price raise: braintree: a price that it refuses stays unraised, and is told so', () =>
  scenario('braintree', async (scene) => {
    const { driven, missing, mails } = scene;
    missing.add('monthly_usd');
    await announce(driven, raiseTo(date));
    await runAlarmsUntil(driven, april);
    expect(raiseOf(driven)).toMatchObject({ state: 'stopped', why: 'gateway' });
    expect(mails('plan_change')).toMatchObject([{ kind: 'continue', next: { amount: 3999 } }]);
    expect(amounts(scene)).toEqual([3999, 3999, 3999, 3999]);
  }));
