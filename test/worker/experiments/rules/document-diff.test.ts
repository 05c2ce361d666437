import { expect, test } from 'vitest';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import { arm, configText, flowsText, texts } from '../../../scripts/config/command-context.ts';

const none = texts('', '');

const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };

test('document diff: changed weights and flows, added and removed arms', () => {
  const before = texts(configText([arm('a', 50), arm('b', 30), arm('c', 20)]));
  const after = texts(configText([arm('a', 40), arm('b', 30, 'lp11ch8'), arm('d', 30)]));
  expect(configSet.differences(before, after)).toEqual([
    'experiment: still e; results mix visitors of the old and the new weights',
    'variant a: weight 50 → 40',
    'variant b: flow default → lp11ch8',
    'variant d: added, weight 30; flow default',
    'variant c: removed, had weight 20; flow default',
  ]);
});

test('document diff: a new experiment assigns every visitor again', () => {
  const after = texts(configText(undefined, { experiment: 'f' }));
  expect(configSet.differences(texts(), after)).toEqual([
    'experiment: e → f; every visitor is assigned again',
  ]);
});

test('document diff: shows a changed order of arms', () => {
  const one = texts(configText([arm('a', 50), arm('b', 50)]));
  const two = texts(configText([arm('b', 50), arm('a', 50)]));
  expect(configSet.differences(one, two)).toEqual([
    'variants: order changed; this affects new visitors only',
  ]);
});

test('document diff: shows offers, flows, aliases and coupons', () => {
  const before = texts(
    configText(undefined, {
      offers: { fullPrice: offer },
      coupons: { X: { percent: 5, renewals: 2 } },
    }),
    flowsText({ short: ['one_pager', 'success'] }, { go: 'one_pager' }),
  );
  const after = texts(
    configText(undefined, {
      offers: {
        fullPrice: { ...offer, plans: ['monthly_7d', 'quarterly'], preselect: 'monthly_7d' },
      },
      coupons: { X: { percent: 10 } },
    }),
    flowsText({ default: ['one_pager', 'success'] }),
  );
  expect(configSet.differences(before, after)).toEqual([
    'offer fullPrice: plans monthly → monthly_7d, quarterly',
    'offer fullPrice: preselect best value → monthly_7d',
    'coupon X: percent 5 → 10',
    'coupon X: renewals 2 → none',
    'flow default: screens one_pager, searching, signup, checkout_v3_tr, upsell_an_private, success → one_pager, success',
    'flow short: removed, had screens one_pager, success',
    'alias go: removed, had screen one_pager',
  ]);
});

test('document diff: without live documents everything is added except the built-in flows', () => {
  expect(configSet.differences(none, texts()).slice(1)).toEqual([
    'experiment: added, e',
    'variant fullPrice: added, weight 100; flow default',
  ]);
});

test('document diff: other white space changes nothing', () => {
  expect(configSet.differences(texts(), texts(`${configText()}\n`))).toEqual([]);
});
