import { expect } from 'vitest';
import { journey } from './run-journey.ts';
import { buyPlan, openApp } from './walk-flow.ts';

const flow = [
  'one_pager',
  'searching',
  'signup',
  'checkout_v3_tr',
  'upsell_an_private',
  'upsell_guide',
  'success',
];
const config = {
  experiment: 'guide',
  variants: [{ key: 'fullPrice', weight: 100, flow: 'guided' }],
};

journey(
  'extras: private mode and the guide are available after the upsells',
  async ({ visitor, server }) => {
    await server.configure(config, { flows: { guided: flow } });
    await buyPlan(visitor);
    await visitor.tap(/^Add for/);
    await visitor.arriveAt('upsell_guide');
    await visitor.tap(/^Add for/);
    await visitor.arriveAt('success');
    await openApp(visitor);
    await visitor.sees('Anonymous mode and private chat are switched on in the app.');
    await visitor.checkAccessibility('success-with-extras');
    await visitor.tap('Read the guide');
    await visitor.arriveAt('guide');
    await visitor.sees('Whom to call, in this order');
    expect(await visitor.page.locator('h2').allTextContents()).toContain('School runs');
    await visitor.checkAccessibility('guide');
    await visitor.tap('Back to your plan');
    await visitor.arriveAt('success');
  },
);
