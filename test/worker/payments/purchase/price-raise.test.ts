import fc from 'fast-check';
import { expect, test } from 'vitest';
import catalogReadme from '../../../../worker/catalog/README.md?raw';
import { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import { lateYes } from '../../../../worker/catalog/rules/late-yes.ts';
import { needsYes, withoutYes } from '../../../../worker/catalog/rules/price-consent.ts';
import { addPeriods } from '../../../../worker/catalog/rules/renewal-date.ts';
import { reminderOf } from '../../../../worker/payments/notices/subscription-notices.ts';
import {
  agreeableAt,
  agreed,
  delivered,
  followRaise,
  isOpen,
  newRaise,
  noticed,
  raiseStep,
  rescheduled,
  type Standing,
  scheduled,
  standingOf,
  upcomingPlan,
} from '../../../../worker/payments/purchase/price-raise.ts';
import type { Raise } from '../../../../worker/payments/purchase/renewal-state.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, type Minor, minor } from '../../../../worker/platform/types.ts';
import { attempt, charge, planNamed } from '../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const boughtAt = Date.UTC(2027, 0, 10, 12);
const on = (days: number) => epochMs(boughtAt + days * day);
const paid = { kind: 'capture', at: epochMs(boughtAt) };

const versionOf = (id: string, price: number) => {
  const plan = planNamed(id);
  return { ...plan, id: `${plan.product}@2_usd`, family: `${plan.product}@2`, price: minor(price) };
};
const target = versionOf('monthly_usd', 4999);
const quarterly = planNamed('quarterly_usd');

const { subscription: running } = startSubscription(
  attempt({ state: 'active', charge, openedAt: boughtAt }),
  boughtAt,
);

const terms = { plans: [target], from: on(40), needsYes: false };
const raised = (change: Partial<Raise> = {}, needs = false, now = boughtAt): Raise => {
  const made = newRaise(running, [paid], null, { ...terms, needsYes: needs }, now);
  if (!made || typeof made !== 'object') throw new Error(String(made));
  return { ...made.raise, ...change };
};

/** A subscription in each standing. */
const standings: Record<Standing, Partial<Subscription>> = {
  running: {},
  once: { plan: planNamed('guide_1799_usd') },
  provisional: { isProvisional: true },
  over: { status: 'ended' },
  ending: { cancelRequestedAt: boughtAt },
  paused: { pausesUntil: on(60) },
  changing: { nextPlan: quarterly },
  disputed: { isDisputed: true },
  unpaid: { status: 'past_due' },
  intro: { plan: planNamed('monthly_7d_usd') },
  restarted: { isRestartDue: true },
  reduced: {
    plan: { ...planNamed('monthly_usd'), reduction: { off: minor(1000), renewals: 1, day: 10 } },
  },
};

test.each(Object.entries(standings))('price raise: a subscription that is %s', (name, change) => {
  const subscription = { ...running, ...change };
  expect(standingOf(subscription, [paid])).toBe(name);
  const plans = [target, versionOf('monthly_7d_usd', 4999), versionOf('guide_1799_usd', 2999)];
  const made = newRaise(subscription, [paid], null, { ...terms, plans }, boughtAt);
  expect(typeof made === 'object' ? 'announced' : made).toBe(
    name === 'running' ? 'announced' : name,
  );
});

test.each([
  ['withdrawn', { withdrawnAt: boughtAt }, 'over'],
  ['ending at the gateway', { ends: true }, 'ending'],
  ['paused now', { status: 'paused' }, 'paused'],
] as const)('price raise: a subscription that is %s is %s', (_, change, standing) => {
  expect(standingOf({ ...running, ...change } as Subscription, [paid])).toBe(standing);
});

test.each([
  ['another product', { plan: quarterly }, null, null],
  ['the version itself', { plan: target }, null, 'not dearer'],
  [
    'a dearer version',
    { plan: { ...target, id: 'monthly@3_usd', price: minor(5999) } },
    null,
    'not dearer',
  ],
  ['a raise under way', { raise: raised() }, null, 'open'],
  ['a raise that stopped', { raise: raised({ state: 'stopped' }) }, null, 'announced'],
] as const)('price raise: %s', (_, change, coupon, expected) => {
  const made = newRaise({ ...running, ...change }, [paid], coupon, terms, boughtAt);
  expect(made && typeof made === 'object' ? 'announced' : made).toBe(expected);
});

test('price raise: a version that the gateway does not sell raises nothing', () => {
  const at = (...[unsold]: [Record<string, string[]>]) =>
    newRaise(running, [paid], null, { ...terms, unsold }, boughtAt);
  expect(at({ [running.gateway]: [target.id] })).toBe('unsold');
  expect(at({ [running.gateway]: ['monthly_eur'], other: [target.id] })).toBeTypeOf('object');
});

test('price raise: a version without the discount of the purchase raises nothing', () => {
  const plan = planNamed('upsell_monthly_999_usd');
  const upsell = { ...running, plan };
  const version = { ...plan, id: 'upsell@2_usd', price: minor(1999) };
  const raise = (of: typeof plan) =>
    newRaise(upsell, [paid], 'UPSELL30', { ...terms, plans: [of] }, boughtAt);
  expect(raise({ ...version, coupon: { code: 'UPSELL30', percent: 10 } })).toBe('other coupon');
  expect(raise(version)).toMatchObject({ raise: { amount: 1399 } });
});

type Change = Partial<Subscription>;
/** What each change of a subscription does to an open raise: its state and why. */
const changes: Record<string, [Change, string, string | null]> = {
  'renews at the old price': [{ paidUntil: on(60) }, 'same', null],
  'is late': [{ status: 'past_due' }, 'same', null],
  'is disputed': [{ isDisputed: true }, 'same', null],
  'gets the new price at the gateway': [{ nextPlan: target }, 'same', null],
  'renews at the new price': [{ plan: target, nextPlan: null }, 'applied', null],
  'is cancelled': [{ cancelRequestedAt: boughtAt }, 'stopped', 'ending'],
  'is ended by the gateway': [{ ends: true }, 'stopped', 'ending'],
  'has ended': [{ status: 'ended' }, 'stopped', 'ending'],
  'is withdrawn': [{ withdrawnAt: boughtAt }, 'stopped', 'ending'],
  pauses: [{ pausesUntil: on(60) }, 'stopped', 'paused'],
  'will switch': [{ nextPlan: quarterly }, 'stopped', 'changed'],
  'was upgraded': [{ plan: quarterly }, 'stopped', 'changed'],
};
const open: Record<string, Raise> = {
  announced: raised(),
  'announced and told': raised({ noticedAt: on(0) }),
  'asked for': raised({ noticedAt: on(0) }, true),
  agreed: raised({ noticedAt: on(0), state: 'agreed' }, true),
  scheduled: raised({ noticedAt: on(0), state: 'scheduled' }),
};
const closed = [raised({ state: 'applied' }), raised({ state: 'stopped', why: 'gateway' })];

test.each(
  Object.entries(open).flatMap(([name, raise]) =>
    Object.entries(changes).map(([what, of]) => [name, what, raise, of] as const),
  ),
)(
  'price raise: one that is %s, and the subscription %s',
  (_, _what, raise, [change, state, why]) => {
    const after = followRaise({ ...running, ...change, raise });
    expect(after).toMatchObject({ state: state === 'same' ? raise.state : state, why });
    if (state === 'same') expect(after).toBe(raise);
    else expect(after?.dueAt).toBeNull();
  },
);

test('price raise: nothing changes one that is applied or stopped', () => {
  for (const raise of closed)
    for (const [change] of Object.values(changes))
      expect(followRaise({ ...running, ...change, raise })).toBe(raise);
});

const at = on(59); // The first renewal from day 40 on.
const told = raised({ noticedAt: on(1), isDelivered: true, dueAt: epochMs(at - 3 * day) });

test('price raise: the first renewal after the date, and a month after the notice', () => {
  expect(raised()).toMatchObject({ at, amount: 4999, dueAt: on(3), from: on(40) });
  expect(raised({}, true).at).toBeNull();
  const soon = newRaise(running, [paid], null, { ...terms, from: on(1) }, on(20));
  // Day 31 is only 11 days away, day 59 has more than 33.
  expect(soon).toMatchObject({ first: at });
});

/** What is due on a day of a raise that was told for day 59. */
const steps: [string, Raise, Change, number, unknown][] = [
  ['before anything is due', raised(), {}, 2, null],
  ['no e-mail was sent in three days', raised(), {}, 4, { stop: 'unnotified' }],
  ['three days after the e-mail', raised({ noticedAt: on(1), dueAt: on(4) }), {}, 4, 'check'],
  ['before the renewal', told, { paidUntil: at }, 55, null],
  ['three days before it', told, { paidUntil: at }, 56, 'schedule'],
  ['the renewal before it is not read yet', told, {}, 56, 'wait'],
  ['the renewal before it is unpaid', told, { status: 'past_due', paidUntil: at }, 56, 'wait'],
  ['that is so until the end', told, { status: 'past_due' }, 58.5, { stop: 'unpaid' }],
  ['its day moved', told, { paidUntil: on(65) }, 57, 'wait'],
  ['its day moved for good', told, { paidUntil: on(65) }, 58.5, { stop: 'moved' }],
  ['the gateway never took it', told, { paidUntil: at }, 58.5, { stop: 'gateway' }],
  ['the yes is missing', { ...told, at: null }, { paidUntil: at }, 70, null],
  ['it is at the gateway', scheduled(told, 'c'), { paidUntil: at }, 70, null],
  ['it is over', { ...told, state: 'stopped' }, { paidUntil: at }, 70, null],
];
test.each(steps)('price raise: what is due if %s', (_, raise, change, days, step) => {
  const subscription = { ...running, ...change, raise };
  expect(raiseStep(subscription, [paid], on(days))).toEqual(step);
});

test('price raise: a notice counts once, and one that was not sent or bounced stops it', () => {
  const sent = noticed(raised(), 'm', true, on(1));
  expect(sent).toMatchObject({ noticedAt: on(1), mailId: 'm', dueAt: on(4), state: 'announced' });
  expect(noticed(sent, null, false, on(2))).toBe(sent);
  expect(noticed(raised(), null, false, on(1))).toMatchObject({ why: 'unnotified' });
  expect(delivered(sent, true, on(4))).toMatchObject({ state: 'stopped', why: 'unnotified' });
  expect(delivered(sent, false, on(4))).toMatchObject({ isDelivered: true, dueAt: on(56) });
  // A vendor that does not say is asked again each day, until the gateway has to be told.
  expect(delivered(sent, null, on(4))).toMatchObject({ isDelivered: false, dueAt: on(5) });
  expect(delivered(sent, null, on(55.5))).toMatchObject({ isDelivered: true, dueAt: on(56) });
});

test('price raise: a yes counts from the next renewal on, never before the date or a month after the notice', () => {
  const raise = raised({ noticedAt: on(1) }, true);
  const asked = (change: Change = {}, days = 1) =>
    agreeableAt({ ...running, raise, ...change }, [paid], on(days));
  expect(asked()).toBe(at);
  expect(asked({ paidUntil: on(90) }, 65)).toBe(on(90));
  // Too late for the renewal of day 90.
  expect(asked({ paidUntil: on(90) }, 87)).toBe(addPeriods(on(90), 'month', 1));
  expect(asked({ raise: raised({}, true) })).toBeNull();
  expect(asked({ raise: { ...raise, needsYes: false } })).toBeNull();
  for (const [name, change] of Object.entries(standings))
    if (name !== 'running') expect(asked(change)).toBeNull();
  expect(agreed(raise, at)).toMatchObject({ state: 'agreed', at, dueAt: on(56) });
  expect(rescheduled(scheduled(agreed(raise, at), 'c'), on(57)).state).toBe('agreed');
});

test.each([
  ['told, before its renewal', told, on(31), running.plan],
  ['told, at its renewal', told, at, target],
  ['not agreed to', { ...told, at: null }, at, running.plan],
  ['stopped', { ...told, state: 'stopped' as const }, at, running.plan],
])('price raise: the next renewal of one that is %s', (_, raise, paidUntil, plan) => {
  expect(upcomingPlan({ ...running, raise, paidUntil: epochMs(paidUntil) })).toBe(plan);
});

test('price raise: the reminder weeks before a long renewal tells the raised price', () => {
  const plan = { ...planNamed('monthly_usd'), period: 'year' as const };
  const yearly = { ...running, plan, raise: { ...told, plan: { ...target, period: plan.period } } };
  const reminder = (paidUntil: number) =>
    reminderOf(attempt(), { ...yearly, paidUntil: epochMs(paidUntil) }, on(40))?.data.plan.price;
  expect([reminder(at), reminder(at - 5 * day)]).toEqual([4999, 3999]);
});

test('price raise: the told day is a renewal of the cycle, also from month ends and leap days', () => {
  const between = { min: new Date('2026-01-01'), max: new Date('2031-12-31'), noInvalidDate: true };
  const lastDays = fc
    .integer({ min: 1, max: 72 })
    .map((month) => new Date(Date.UTC(2026, month, 0, 12)));
  const dates = fc.oneof(fc.date(between), lastDays);
  const periods = ['week', 'month', 'quarter', 'half_year', 'year'] as const;
  const free = { introDays: 5, today: minor(0) };
  fc.assert(
    fc.property(
      dates,
      fc.constantFrom(...periods),
      fc.nat(6),
      fc.nat(400),
      (start, period, n, wait) => {
        const first = epochMs(Math.floor(start.getTime() / 1000) * 1000);
        // The first charge of a free trial begins the cycle.
        const plan = { ...running.plan, period, ...(n % 2 === 0 && free) };
        const paidUntil = addPeriods(first, period, n + 1);
        const rows = [{ kind: 'capture', at: first }];
        const plans = [{ ...target, period }];
        const now = paidUntil - day;
        const from = epochMs(now + wait * day);
        const made = newRaise(
          { ...running, plan, paidUntil, trialUntil: plan.today === 0 ? first : null },
          rows,
          null,
          { plans, from, needsYes: false },
          now,
        );
        if (!made || typeof made !== 'object') throw new Error(String(made));
        const { first: told } = made;
        const renewals = Array.from({ length: 90 }, (_, k) => addPeriods(first, period, n + 1 + k));
        const earliest = Math.max(from, now + 33 * day);
        expect(told).toBe(renewals.find((one) => one >= earliest));
      },
    ),
  );
});

test('price raise: without an entry a country needs a yes, and each entry has a source', () => {
  expect([needsYes(null), needsYes('FR'), needsYes('DE'), needsYes('AU')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const listed = [...withoutYes, lateYes, 'DE', 'GB', 'US'].map((country) => {
    const lines = catalogReadme.split('\n');
    return lines.find((line) => line.startsWith(`| ${names.of(country)} | `));
  });
  const answers = ['no', 'late yes', 'yes', 'yes', 'yes'];
  for (const [at, answer] of answers.entries())
    expect(listed[at]).toMatch(new RegExp(`^[^|]*\\|[^|]*\\| ${answer} \\|.*\\]\\(https:`));
});

test('price raise: versions of a product are found in each currency', () => {
  const version = (amount: number) => ({ prices: { USD: amount as Minor } });
  const product = { slot: 'main', period: 'month', label: 'L', grace_days: 7 } as const;
  const catalog = new Catalog({
    products: { basic: { ...product, versions: { 1: version(100), 2: version(200) } } },
  } as never);
  expect(catalog.plansOfProduct('basic').map(({ id }) => id)).toEqual(['basic_usd', 'basic@2_usd']);
  expect(isOpen(null)).toBe(false);
});
