import { expect } from 'vitest';
import { cards, payWith, typeCard } from './pay.ts';
import { journey } from './run-journey.ts';
import { startAtCheckout } from './walk-flow.ts';

const number = 'iframe[title="Secure card number input frame"]';

journey(
  'card: without the provider’s fields the page says so in their place, shows no dead field, and loads them again',
  async ({ visitor }) => {
    const { page } = visitor;
    visitor.expects(/js\.stripe\.com/, 'aborted');
    await page.route(/js\.stripe\.com/, (route) => route.abort());
    await startAtCheckout(visitor);
    const reason = page.locator('[data-dead] [role=alert]');
    await reason.waitFor();
    expect(await reason.textContent()).toBe(
      'The secure card fields didn’t load. Nothing was charged.',
    );
    expect(await page.locator('#card fieldset').isVisible()).toBe(false);
    // Nothing can be paid, so nothing renews.
    const renewals = page.locator('main bdi[data-renewal=quarterly_usd]').filter({ visible: true });
    expect(await renewals.count()).toBe(1);
    await visitor.checkAccessibility('card-not-loaded');
    await page.unroute(/js\.stripe\.com/);
    await visitor.button.click();
    await page.locator(number).waitFor();
    expect(await page.locator('#card fieldset').isVisible()).toBe(true);
    expect(await reason.count()).toBe(0);
  },
);

journey(
  'card: while it pays, no wallet can be tapped; a declined one is named, and its number has the focus below the wallet',
  async ({ visitor }) => {
    const { page } = visitor;
    await startAtCheckout(visitor);
    const wallets = page.locator('[data-wallets] [inert]');
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/subscriptions\/polling\//, async (route) => {
      await promise;
      await route.continue();
    });
    await payWith(visitor, cards.declined);
    await wallets.waitFor({ state: 'attached' });
    resolve();
    await visitor.arriveAt('payment_declined');
    await page.locator('#same-card').click();
    await visitor.arriveAt('checkout_v3_tr');
    await visitor.sees('Enter Visa •••• 0002 again');
    await page.locator('[data-focused] > [data-card=number]').waitFor();
    const top = await page
      .locator('[data-wallets]')
      .evaluate((box) => box.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(await wallets.count()).toBe(0);
    await typeCard(visitor, cards.approved);
    await visitor.button.click();
    await visitor.arriveAt('upsell_an_private');
  },
);

journey(
  'card: a failure of the server does not say that nothing was charged; after too many tries no method can be tapped',
  async ({ visitor }) => {
    const { page } = visitor;
    const path = /\/subscriptions\/polling\//;
    const answer = async (status: number, code: string, message: string) => {
      visitor.expects(path, status);
      await page.unroute(path);
      await page.route(path, (route) =>
        route.fulfill({ status, json: { errors: { code, messages: [message] } } }),
      );
    };
    await startAtCheckout(visitor);
    await answer(500, 'unexpected', 'Unexpected Application Error!');
    await payWith(visitor, cards.approved);
    const reason = page.locator('form .notice [role=alert]');
    await expect
      .poll(() => reason.textContent())
      .toBe(
        'Unexpected Application Error!Something broke on our side. Try again: you won’t be charged twice.',
      );
    const many = 'Too many declined attempts. Nothing was charged. Please try again in an hour.';
    await answer(429, 'too_many_declines', many);
    await visitor.button.click();
    await expect
      .poll(() => reason.textContent())
      .toMatch(
        /^Too many declined attempts\. Nothing was charged\. Try again after \d+:\d\d.[AP]M\.$/,
      );
    expect(await page.locator('#card fieldset').isVisible()).toBe(false);
    expect(await page.locator('[data-wallets] [inert]').count()).toBe(1);
    await visitor.checkAccessibility('card-too-many');
  },
);
