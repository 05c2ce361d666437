import { expect, test } from 'vitest';
import { warningsOf } from '../../../scripts/config/warnings.ts';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import { validateDocuments } from '../../../worker/experiments/rules/config-validation.ts';
import { arm, configText, flowsText } from './world.ts';

const whole = ['one_pager', 'signup', 'checkout_v3_tr', 'success'];
const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };

/** Warnings of two texts, as `path: reason`. */
function warnings(config: string, flows: string): string[] {
  const { pair, problems } = validateDocuments(config, flows);
  if (!pair) throw new Error(JSON.stringify(problems));
  return warningsOf(pair, { config, flows }).map(({ path, reason }) => `${path}: ${reason}`);
}

test('what is built in gives no warning', () => {
  expect(warnings(builtInDocuments['config.json'], builtInDocuments['flows.json'])).toEqual([]);
});

test.each<[string, string, string, string[]]>([
  [
    'an arm that nobody gets',
    configText([arm('a', 100), arm('b', 0)]),
    flowsText(),
    ['variants.1.weight: no new visitor gets the arm b'],
  ],
  [
    'an offer for no arm',
    configText([arm('intro/7d', 100)], {
      offers: { fullPrice: offer, intro: offer, 'intro/7d': offer, 'intro/5d': offer },
    }),
    flowsText(),
    ['offers.intro/5d: no arm has this key or type'],
  ],
  [
    'a flow without payment',
    configText(),
    flowsText({ short: ['one_pager', 'upsell_an_private', 'success'] }),
    ['flows.short: no screen takes payment'],
  ],
  [
    'a flow that ends elsewhere',
    configText(),
    flowsText({ short: ['one_pager', 'success', 'checkout_v3_tr'] }),
    ['flows.short: does not end in success'],
  ],
  [
    'the flow for tests, used',
    configText([arm('a', 100, 'stripe_test')]),
    flowsText({ stripe_test: whole }),
    ['variants.0.flow: stripe_test is for tests; production refuses it'],
  ],
  [
    'the flow for tests, only there',
    configText(),
    flowsText({ stripe_test: whole }),
    ['flows.stripe_test: stripe_test is for tests; production refuses it'],
  ],
  [
    'an alias that is a screen',
    configText(),
    flowsText({}, { success: 'one_pager', start: 'one_pager' }),
    ['aliases.success: a screen has this name, so the alias does nothing'],
  ],
  [
    'misspelt fields',
    configText([{ ...arm('a', 100), wieght: 5 } as never], { ofers: {} }),
    '{"flows":{},"alliases":{}}',
    [
      'variants.0.wieght: nothing reads this field',
      'ofers: nothing reads this field',
      'alliases: nothing reads this field',
    ],
  ],
])('%s', (_, config, flows, expected) => {
  expect(warnings(config, flows)).toEqual(expected);
});

test('a field of a coupon that nothing reads is refused, not only warned of', () => {
  const coupons = { SPRING: { percent: 20, deep: { a: [1, { b: 2 }] } } };
  expect(() => warnings(configText(undefined, { coupons }), flowsText())).toThrow('coupons.SPRING');
});
