import type { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import { changeTargets } from '../../../../worker/catalog/rules/plan-options.ts';
import type { Plan } from '../../../../worker/catalog/rules/plans.ts';
import type { Notice } from '../../../../worker/payments/notices/email-notices.ts';
import { isLong } from '../../../../worker/payments/purchase/renewal-notice.ts';
import type { RequestedChange } from '../../../../worker/payments/subscriptions/change-quotes.ts';
import { receivedPurchase } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { subscriptionView } from '../../../../worker/payments/subscriptions/rules/purchase-view.ts';
import { type AttemptId, epochMs } from '../../../../worker/platform/types.ts';
import type { DrivenObject } from '../attempts/driven-object.ts';
import { dayMs, hourMs, type stubGateways } from '../payments-fixture.ts';
import { acceptAllCards, declineAllCards } from './card-fixture.ts';
import { catalogs, type Event } from './told-scenarios.ts';

interface Told {
  amount: number;
  at: number;
  /** From then on each renewal costs more. */
  raise?: { amount: number; at: number };
}

const priceIn = ({ plan }: Notice['data']) => plan.price - (plan.reduction?.off ?? 0);

/** What a mail says of the next charge; undefined for nothing, null for none. */
function toldIn({ template, data }: Notice, before: Told | null): Told | null | undefined {
  switch (template) {
    case 'purchase_confirmation':
    case 'renewal_reminder':
    case 'pause_reminder':
    case 'resumption':
      return data.renews === null ? null : { amount: priceIn(data), at: data.renews };
    case 'renewal_receipt':
      return data.renews === null
        ? undefined
        : { ...before, amount: priceIn(data), at: data.renews };
    case 'plan_change':
      return data.next;
    case 'price_raise':
      return data.step === 'asked'
        ? undefined
        : { amount: data.before, at: data.renews, raise: data.next };
    case 'cancellation':
    case 'withdrawal':
      return null;
    default:
      return undefined;
  }
}

const nextOf = (told: Told | null) =>
  told?.raise && told.at >= told.raise.at - dayMs
    ? { amount: told.raise.amount, at: told.at }
    : told;

/** Charged, and the next charge is not told yet. */
const unknown = Date.UTC(2100, 0);

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** A year of one subscription, and where what it was told differs from what was charged. */
export class Year {
  readonly differences: string[] = [];
  readonly done: string[] = [];
  /** What happened, for a failed test. */
  readonly trail: string[] = [];
  told: Told | null = null;
  /** The notices weeks before a long renewal, by the day of the renewal. */
  readonly announced: { at: number; renews: number }[] = [];
  refundTold = 0;
  endShown = 0;
  #seen = 0;
  #isDeclined = false;
  #sold = 1;
  #actedAt = 0;
  readonly #driven: DrivenObject;
  readonly #id: AttemptId;
  readonly #fakes: ReturnType<typeof stubGateways>;

  constructor(driven: DrivenObject, id: AttemptId, fakes: ReturnType<typeof stubGateways>) {
    this.#driven = driven;
    this.#id = id;
    this.#fakes = fakes;
  }

  view() {
    const [owned] = this.#driven.object().ownedSubscriptions();
    if (!owned) throw new Error('nothing owned');
    const facts = { ...receivedPurchase(owned), targets: this.#targets, noticeMonths: 1 };
    return subscriptionView(facts, Date.now());
  }

  get #targets(): Plan[] {
    return changeTargets(catalogs[this.#sold - 1] as Catalog, 'USD');
  }

  get #plan(): Plan {
    const [owned] = this.#driven.object().ownedSubscriptions();
    if (!owned) throw new Error('nothing owned');
    return owned.plan;
  }

  #captures() {
    const all = this.#fakes.captured().slice(this.#seen);
    this.#seen += all.length;
    this.trail.push(...all.map(({ amount }) => `${dayOf(Date.now())} charged ${amount}`));
    return all.map(({ amount }) => amount);
  }

  #differ(what: string) {
    this.differences.push(`${dayOf(Date.now())}: ${what}`);
  }

  hear(notice: Notice) {
    const { template, data } = notice;
    this.trail.push(
      `${dayOf(Date.now())} mail ${template} ${JSON.stringify(toldIn(notice, null))}`,
    );
    if (template === 'renewal_reminder' || template === 'pause_reminder')
      this.announced.push({ at: data.at, renews: data.renews });
    if (template === 'refund') this.refundTold += data.back;
    const told = toldIn(notice, this.told);
    if (told !== undefined) this.told = told;
  }

  /** A charge that the owner agreed to on the page, made at once. */
  expectNow(amounts: number[]) {
    const charged = this.#captures();
    if (charged.join() !== amounts.join()) this.#differ(`agreed to ${amounts}, charged ${charged}`);
  }

  async step(hours: number) {
    const { next } = this.view();
    const heard = this.told;
    const told = nextOf(heard);
    const { plan } = this.#driven.object().ownedSubscriptions()[0] ?? {};
    await this.#driven.passTime(hours * hourMs);
    this.#fakes.stripe.passTime();
    await this.#fakes.braintree.passTime();
    const now = Date.now();
    for (const amount of this.#captures()) {
      for (const [where, said] of [
        ['page', next],
        ['mail', told],
      ] as const) {
        const isDay =
          said && now >= said.at - dayMs && (now <= said.at + 2 * dayMs || this.#late());
        if (said?.amount !== amount || !isDay)
          this.#differ(
            `${where} said ${said?.amount} on ${dayOf(said?.at ?? 0)}, charged ${amount}`,
          );
      }
      this.#expectNotice(plan, now);
      // Known from the receipt, which the next reading sends.
      if (heard && this.told === heard) this.told = { ...heard, at: unknown };
    }
    const due = nextOf(this.told);
    if (due && now > due.at + 3 * dayMs && !this.#late()) {
      this.#differ(`told ${due.amount} on ${dayOf(due.at)}, not charged`);
      this.told = null;
    }
  }

  #lateUntil = 0;
  #late = () => this.#isDeclined || Date.now() < this.#lateUntil;

  #expectNotice(plan: Plan | undefined, now: number) {
    if (!plan || !isLong(plan) || this.#seen <= (plan.introDays === 5 ? 2 : 1)) return;
    const leads = this.announced.map(({ at, renews }) => [now - renews, renews - at] as const);
    const isTold = leads.some(
      ([late, lead]) => Math.abs(late) <= 2 * dayMs && lead >= 7 * dayMs && lead <= 30 * dayMs,
    );
    // A change in the last weeks has an e-mail of its own.
    if (!isTold && now - this.#actedAt > 30 * dayMs)
      this.#differ('a long period renewed without a notice');
  }

  async #change(kind: RequestedChange['kind'], plan: string | null = null): Promise<boolean> {
    const request = { kind, plan, months: 2, targets: this.#targets };
    const driven = this.#driven;
    const quote = await driven.run((object) => object.quoteChange(this.#id, request));
    if (quote.kind !== 'quoted') return false;
    const { change } = quote;
    await driven.run((object) => object.confirmChange(this.#id, change.id));
    await driven.runDueAlarms();
    const until = Date.now() + dayMs;
    while (driven.object().planChange(change.id)?.state === 'sent' && Date.now() < until)
      await driven.passTime(hourMs);
    const { state } = driven.object().planChange(change.id) ?? {};
    this.expectNow(state === 'done' && change.amount > 0 ? [change.amount] : []);
    return state === 'done';
  }

  async #raise(event: Event): Promise<boolean> {
    const driven = this.#driven;
    const { product, family } = this.#plan;
    const next = catalogs[0]?.plansOfProduct(product) ?? [];
    const plans = next.slice(next.findIndex((one) => one.family === family) + 1).slice(0, 1);
    const needsYes = event === 'raise, agreed' || event === 'raise, unanswered';
    const command = { plans, from: epochMs(Date.now()), needsYes, isStart: true };
    const [row] = await driven.run((object) => object.raisePrices(command));
    const { raise } = driven.object().ownedSubscriptions()[0]?.subscription ?? {};
    if (row?.state !== 'announced' || !raise) return false;
    const id = `price_raise:${this.#id}:${raise.announcedAt}`;
    const mailId = event === 'raise, bounced' ? 'bounced' : 'delivered';
    await driven.run((object) => object.noticed({ id, isSent: true, mailId }));
    if (event === 'raise, agreed') await this.#change('switch', raise.plan);
    return true;
  }

  async #act(event: Event): Promise<boolean> {
    const driven = this.#driven;
    const { changes, earlyEnd, next } = this.view();
    switch (event) {
      case 'publish':
        this.#sold = Math.min(3, this.#sold + 1);
        return true;
      case 'cancel':
      case 'cancel and undo': {
        if (!next) return false;
        await driven.run((object) => object.cancelSubscription(this.#id));
        await driven.runDueAlarms();
        if (event === 'cancel') return true;
        await driven.run((object) => object.resumeSubscription(this.#id));
        await driven.runDueAlarms();
        return true;
      }
      case 'pause':
        return changes.pauses.length > 0 && this.#change('pause');
      case 'resume':
        return changes.resume && this.#change('resume');
      case 'switch':
      case 'upgrade': {
        const [to] = changes[event];
        return to !== undefined && this.#change(event, to.id);
      }
      case 'end early': {
        if (!earlyEnd || !next) return false;
        const { at, back } = earlyEnd;
        this.endShown = back;
        await driven.run((object) => object.endEarly(this.#id, { at, back, noticeMonths: 1 }));
        await driven.runDueAlarms();
        return true;
      }
      case 'decline for three days':
        this.#isDeclined = true;
        declineAllCards(this.#fakes);
        return true;
      default:
        return this.#raise(event);
    }
  }

  async act(event: Event) {
    const isDone = await this.#act(event);
    if (isDone) {
      this.done.push(event);
      this.#actedAt = Date.now();
    }
    this.trail.push(`${dayOf(Date.now())} ${event} ${isDone}`);
  }

  acceptCards() {
    this.#isDeclined = false;
    this.#lateUntil = Date.now() + 20 * dayMs;
    acceptAllCards(this.#fakes);
  }
}
