import { expect, test } from 'vitest';
import {
  flowChanges,
  removalLines,
  variantDifferences,
  warningText,
} from '../../../../../worker/console/publishing/rules/review-notes.ts';
import { builtInFlows } from '../../../../../worker/experiments/rules/flows.ts';
import { arm, configText, flowsText, texts } from '../../../../scripts/config/command-context.ts';

const flows = flowsText({
  swapped: ['one_pager_all', ...(builtInFlows.default ?? []).slice(1)],
  other: ['one_pager_all', 'searching_2', ...(builtInFlows.default ?? []).slice(2)],
});
const offers = {
  intro: { plans: ['monthly_7d', 'quarterly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' },
};
const differences = (...all: Parameters<typeof configText>[0] & object) =>
  variantDifferences(texts(configText(all, { offers }), flows));

test('variant differences: each variant lists the screens and prices in which it differs from the first', () => {
  expect(
    differences(arm('fullPrice', 50), arm('people', 30, 'other'), arm('intro/7d', 20, 'swapped')),
  ).toEqual([
    '“people” differs from “fullPrice” in 2 ways: one_pager_all, searching_2. The results cannot show which of them made the difference.',
    '“intro/7d” differs from “fullPrice” in 2 ways: one_pager_all, plans and prices. The results cannot show which of them made the difference.',
  ]);
});

test('variant differences: a rare variant, and one with the flow for tests, are compared too', () => {
  expect(differences(arm('fullPrice', 99.5), arm('rare', 0.5, 'other'))).toHaveLength(1);
  expect(differences(arm('fullPrice', 50), arm('a', 50, 'stripe_test'))).toEqual([
    expect.stringContaining('auto-signup, checkout-test'),
  ]);
});

test('variant differences: a single difference, and a variant without visitors, need no list', () => {
  expect(differences(arm('fullPrice', 50), arm('people', 50, 'swapped'))).toEqual([]);
  expect(differences(arm('fullPrice', 100), arm('people', 0, 'other'))).toEqual([]);
});

test('flow changes: a changed flow names who gets it, what moved and its screens, an unchanged one is left out', () => {
  const [config, short] = [configText([arm('a', 100, 'short')]), ['one_pager', 'success']];
  const before = texts(config, flowsText({ short, spare: short }));
  const after = texts(
    config,
    flowsText({ short: ['one_pager', 'signup', 'success'], spare: short }),
  );
  expect(flowChanges(before, before)).toEqual([]);
  const [long, text] = [
    ['one_pager', 'signup', 'success'],
    '100% of new visitors get the changed flow “short”.',
  ];
  expect(flowChanges(before, after)).toEqual([
    { text, moves: ['New: Sign-up, after Landing page'], before: short, after: long },
  ]);
  expect(flowChanges(after, before)).toEqual([
    { text, moves: ['Left out: Sign-up'], before: long, after: short },
  ]);
  const added = texts(config, flowsText({ short, spare: short, other: short }));
  expect(flowChanges(before, added)).toEqual([
    { text: 'No new visitor gets the new flow “other”.', moves: [], before: [], after: short },
  ]);
});

test('review notes: a removal and changed coupon terms have a sentence, other differences have none', () => {
  const lines = [
    'coupon SPRING: removed, had 20 %',
    'alias start: removed, had one_pager',
    'variant intro/7d: removed, had 50 %',
    'flow short of EUR: removed, had one_pager, success',
    'coupon SUMMER: terms 10 % → 20 %',
    'coupon WINTER: added, 5 %',
    'variant a: weight 50 → 60',
  ];
  expect(removalLines(lines)).toEqual([
    'The coupon SPRING stops working.',
    'The address /start stops working.',
    'The variant “intro/7d” is removed. Its visitors get another one.',
    'The flow short of EUR is removed.',
    'The coupon SUMMER gets different terms.',
  ]);
});

test('review notes: a warning names its position only if it does not name its subject', () => {
  expect(
    [
      'config.json variants.1.weight: no new visitor gets b',
      'flows.json flows.short: no screen takes payment',
    ].map(warningText),
  ).toEqual(['No new visitor gets b.', 'Flow “short”: no screen takes payment.']);
});
