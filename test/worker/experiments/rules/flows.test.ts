import { expect, it, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import type { Offer } from '../../../../worker/experiments/rules/config-documents.ts';
import {
  builtInFlows,
  type Flow,
  isCheckout,
  isScreenId,
  nextScreen,
  progressOf,
  screenIds,
  takesPayment,
} from '../../../../worker/experiments/rules/flows.ts';
import { familiesOf, shownOffer } from '../../../../worker/experiments/rules/shown-offer.ts';

const offer: Offer = {
  plans: ['monthly', 'quarterly'],
  after: [],
  upsell: 'upsell_monthly_999',
  guide: 'guide_1799',
};

const paywall = 'paycheck1_pr5_h_win';
const flows = builtInFlows as Record<'default' | 'lp17ch17pr5', Flow>;
const visitor = {
  arm: 'intro/5d',
  flow: flows.lp17ch17pr5,
  offer,
  configuration: { catalog: builtInCatalog },
};
it.each([
  ['paycheck1_pr5_h_win', 'monthly_5d', true],
  ['paycheck1_pr5_h_ai', 'monthly_5d', false],
  ['paycheck_combo_3d', 'monthly_3d', false],
])(
  'shown offer: %s shows its own intro %s if the arm has none; it ends: %s',
  (screen, intro, expires) => {
    expect(shownOffer(screen, visitor)).toMatchObject({
      plans: [intro, 'quarterly'],
      after: ['monthly', 'quarterly'],
      expires,
    });
  },
);

it('shown offer: an arm keeps its own intro', () => {
  const own: Offer = { ...offer, plans: ['monthly_7d', 'monthly'] };
  const shown = shownOffer(paywall, { ...visitor, offer: own });
  expect([shown.plans, shown.after]).toEqual([['monthly_7d', 'monthly'], ['monthly']]);
});

it('shown offer: a full-price arm keeps its prices', () => {
  const shown = shownOffer(paywall, { ...visitor, arm: 'fullPrice' });
  expect([shown.plans, shown.after]).toEqual([['monthly', 'quarterly'], []]);
});

it('shown offer: outside its flow a paywall shows its own intro', () => {
  const looker = { ...visitor, arm: 'fullPrice', flow: flows.default };
  expect(shownOffer(paywall, looker).plans).toEqual(['monthly_5d', 'quarterly']);
});

it('shown offer: the configured plans follow an expired offer', () => {
  const own: Offer = { ...offer, plans: ['monthly_7d'], after: ['quarterly'] };
  const shown = shownOffer('checkout_v3_tr', { ...visitor, offer: own });
  expect([shown.after, shown.expires]).toEqual([['quarterly'], true]);
});

it('shown offer: all families, once each, with the full price of intros', () => {
  const whole: Offer = { ...offer, plans: ['monthly_7d', 'quarterly'], after: ['quarterly'] };
  expect(familiesOf(whole, builtInCatalog)).toEqual([
    'monthly_7d',
    'quarterly',
    'monthly',
    'upsell_monthly_999',
    'guide_1799',
  ]);
});

const end = ['upsell_an_private', 'success'];
const start = ['one_pager', 'searching', 'signup'];
test('flows: the six flows of the specification and the flow with questions are built in', () => {
  expect(builtInFlows).toEqual({
    default: [...start, 'checkout_v3_tr', ...end],
    lp1ch2: [...start, 'checkout_v3_tr', ...end],
    lp11ch8: [...start, 'checkout_h3_pp', ...end],
    lp11ch8_vc: [...start, 'checkout_v3_pp', ...end],
    lp11ch8b: [...start, 'checkout_h3_pp_braintree', ...end],
    lp17ch17pr5: ['one_pager_all', 'searching_2', 'signup_testim', 'paycheck1_pr5_h_win', ...end],
    ask: ['questions', 'one_pager', 'searching', 'signup_testim', 'checkout_v3_tr', ...end],
  });
});

test.for(Object.entries(builtInFlows))(
  'flows: %s leads from screen to screen to its end',
  ([, flow]) => {
    for (const [i, screen] of flow.entries())
      expect(nextScreen(flow, screen)).toBe(flow[i + 1] ?? null);
  },
);
test('flows: a screen outside the flow leads to the first screen, a landing or a look-up to the screen after the flow’s own', () => {
  for (const flow of Object.values(builtInFlows)) {
    const after = (screen: string) => flow[flow.findIndex((id) => id.startsWith(screen)) + 1];
    for (const id of screenIds.filter((id) => !flow.includes(id))) {
      const replaced = /^(one_pager|searching)/.exec(id)?.[0];
      expect(nextScreen(flow, id)).toBe(replaced ? after(replaced) : flow[0]);
    }
  }
});

test('flows: a look-up leads to the e-mail in a flow without one', () => {
  expect(nextScreen(['one_pager', 'signup'], 'searching')).toBe('signup');
  expect(nextScreen(['one_pager', 'questions', 'signup'], 'searching_2')).toBe('signup');
  expect(nextScreen(['signup', 'success'], 'searching')).toBe('signup');
});

test('flows: a landing outside the flow leads to the first screen of a flow without a landing', () => {
  expect(nextScreen(['signup', 'success'], 'one_pager_ai')).toBe('signup');
  expect(nextScreen(['features', 'one_pager', 'signup'], 'one_pager_ai')).toBe('signup');
  expect(nextScreen(['one_pager'], 'one_pager_ai')).toBeNull();
});

test('flows: an empty flow leads nowhere', () => expect(nextScreen([], 'signup')).toBeNull());

test('flows: every screen of the specification is listed once, and so are the questions', () => {
  const specified = `one_pager one_pager_all one_pager_ai one_pager_l1 one_pager_l2
    questions searching searching_2 searching_ai signup signup_testim features
    checkout_v3_tr checkout_h3_pp checkout_v3_pp checkout_h3_pp_braintree
    paycheck1_pr5_h_win paycheck1_pr5_h_ai paycheck_combo_3d
    upsell_an_private upsell_guide success payment_declined`;
  expect([...screenIds].sort()).toEqual(specified.split(/\s+/).sort());
  expect(screenIds.every(isScreenId)).toBe(true);
});

test.for(['', 'One_pager', 'one_pager/', '__proto__', 'constructor', 'toString', 'checkout_test'])(
  'flows: %j is not a screen',
  (segment) => expect(isScreenId(segment)).toBe(false),
);
test('flows: checkouts, paywalls and upsells take payment, upsells do not sell the main plan', () => {
  const paying = screenIds.filter(takesPayment);
  expect(paying).toEqual([
    'checkout_v3_tr',
    'checkout_h3_pp',
    'checkout_v3_pp',
    'checkout_h3_pp_braintree',
    'paycheck1_pr5_h_win',
    'paycheck1_pr5_h_ai',
    'paycheck_combo_3d',
    'upsell_an_private',
    'upsell_guide',
  ]);
  expect(screenIds.filter(isCheckout)).toEqual(paying.slice(0, -2));
});

test('flows: every flow has its checkout before its upsell', () => {
  for (const flow of Object.values(builtInFlows)) {
    const kinds = flow.map((id) => (isCheckout(id) ? 'main' : takesPayment(id) ? 'more' : ''));
    expect(kinds.filter(Boolean)).toEqual(['main', 'more']);
  }
});

test('progress: every screen of a flow belongs to one step, and steps never go back', () => {
  for (const flow of Object.values(builtInFlows)) {
    const places = flow.map((screen) => progressOf(flow, screen));
    expect(places.map((progress) => progress?.steps)).toEqual(
      flow.map(() => ['number', 'account', 'plan', 'invite']),
    );
    const at = places.map((progress) => (progress?.at ?? 0) + (progress?.further ? 0.5 : 0));
    expect(at).toEqual([...at].sort((a, b) => a - b));
  }
});

test('progress: a flow shows only its own steps; a page outside it has none', () => {
  const short: Flow = ['signup', 'checkout_v3_tr'];
  expect(progressOf(short, 'checkout_v3_tr')).toEqual({
    steps: ['account', 'plan'],
    at: 1,
    further: false,
  });
  expect(progressOf(short, 'success')).toBeNull();
  expect(progressOf(short, 'terms')).toBeNull();
  expect(progressOf(short, 'upsell_guide')).toMatchObject({ at: 1, further: false });
});

test.each([...screenIds, 'auto-signup', 'checkout-test'])(
  'flows: %s belongs to a step of the progress line',
  (screen) => expect(progressOf([screen], screen)).not.toBeNull(),
);
