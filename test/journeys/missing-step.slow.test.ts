import { expect } from 'vitest';
import { full, journey } from './run-journey.ts';

const account = ['Your email comes first', 'Enter your email', 'signup'] as const;
const plan = ['Your plan comes first', 'Choose a plan', 'checkout_v3_tr'] as const;

/** One screen per layout: its text without the required step, and the link. */
const needing = [
  ['checkout_v3_tr', ...account],
  ['paycheck1_pr5_h_win', ...account],
  ['upsell_guide', ...plan],
  ['success', ...plan],
] as const;

journey.for(full ? needing : needing.slice(2, 3))(
  'missing step: %s',
  async ([screen, says, action, to], { another }) => {
    const visitor = await another();
    for (const width of full ? [390, 1280] : [390]) {
      await visitor.page.setViewportSize({ width, height: 844 });
      await visitor.open(`/${screen}`);
      await visitor.sees(says);
      await visitor.waitLive('toast');
      expect(await visitor.page.locator('h1:visible').allTextContents()).toEqual([says]);
    }
    await visitor.checkAccessibility();
    await visitor.tap(action);
    await visitor.arriveAt(to);
  },
);

journey(
  'missing step: a search or a sign-up without a number, and an unknown address, have a way back',
  async ({ visitor }) => {
    await visitor.open('/searching');
    await visitor.sees('Enter a number first');
    expect(await visitor.page.locator('h1:visible').allTextContents()).toEqual([
      'Enter a number first',
    ]);
    await visitor.checkAccessibility();
    await visitor.tap('Enter a number');
    await visitor.arriveAt('one_pager');
    await visitor.open('/signup');
    expect(await visitor.title()).toBe('Start with your email');
    await visitor.sees('No number yet');
    const filled = visitor.page.locator('#step > :first-child');
    expect(
      await filled.evaluate((step) => getComputedStyle(step).getPropertyValue('--filled')),
    ).toBe('0');
    await visitor.checkAccessibility();
    await visitor.tap('Enter a number');
    await visitor.arriveAt('one_pager');
    visitor.expects(/\/nowhere$/, 404);
    await visitor.open('/nowhere');
    expect(await visitor.heading.textContent()).toBe('This page took a wrong turn');
    await visitor.checkAccessibility('nowhere');
    await visitor.tap('Back to the start');
    await visitor.arriveAt('one_pager');
  },
);
