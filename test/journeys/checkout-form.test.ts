import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { requestBodies } from './delay-requests.ts';
import { cards, typeCard } from './pay.ts';
import { journey } from './run-journey.ts';
import { startAtCheckout } from './walk-flow.ts';

const radio = ({ page }: Visit, plan: string) => page.locator(`[name=plan][value=${plan}]`);
const errorOf = ({ page }: Visit) => page.locator('#card-error');
const bar = ({ page }: Visit) => page.locator('#to-payment');

journey(
  'checkout: the best value is preselected; plans and bar are seen at once, on tablets inside the card',
  async ({ visitor }) => {
    const { page } = visitor;
    await startAtCheckout(visitor);
    expect(await radio(visitor, 'quarterly_usd').isChecked()).toBe(true);
    await page.getByText('Best value').waitFor();
    await page.setViewportSize({ width: 360, height: 640 });
    await bar(visitor).waitFor();
    const plans = await page.locator('[data-order]').boundingBox();
    const fixed = await page.locator('div:has(> [data-bar])').boundingBox();
    expect((plans?.y ?? 0) + (plans?.height ?? 640)).toBeLessThanOrEqual(fixed?.y ?? 0);
    expect((fixed?.y ?? 0) + (fixed?.height ?? 0)).toBe(640);
    await page.setViewportSize({ width: 390, height: 844 });
    await visitor.sees('$20.00 a month billed $59.99 every 3 months');
    // A wallet starts the payment from the bar, so the bar names the price and the renewal.
    await page.locator('[data-bar] [data-wallet=offered]').waitFor();
    await page
      .getByText('$59.99 today, then every 3 months', { exact: true })
      .filter({ visible: true })
      .waitFor();

    await visitor.waitLive('jump-to-payment');
    await visitor.checkAccessibility();
    await bar(visitor).click();
    await bar(visitor).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('pay');
    await visitor.shoot('checkout-form');
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await bar(visitor).waitFor();

    await page.setViewportSize({ width: 768, height: 800 });
    const [card, below] = await bar(visitor).evaluate((link) => {
      const box = link.closest('[data-bar]')?.parentElement;
      return [box?.closest('[data-need]')?.clientWidth, box?.offsetWidth];
    });
    expect(below).toBe(card);
  },
);

journey(
  'checkout: every wrong field is marked and explained, and a lost connection keeps the form',
  async ({ visitor, server }) => {
    const { page, button } = visitor;
    await startAtCheckout(visitor);
    await visitor.waitLive('card-form');
    await page.locator('iframe[title="Secure card number input frame"]').waitFor();
    await button.click();
    await expect
      .poll(() => errorOf(visitor).textContent())
      .toBe('Enter the card number, expiration date, and CVV.');
    expect(await page.locator('[data-wrong]').count()).toBe(3);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('title')))
      .toBe('Secure card number input frame');
    await visitor.checkAccessibility('checkout-errors');

    const sent = requestBodies(visitor, 'POST', /\/subscriptions\/polling\//);
    await page.frameLocator('iframe[title="Secure CVC input frame"]').locator('input').click();
    await page.locator('[data-focused] > [data-card=cvc]').waitFor();
    await visitor.shoot('card-focused');
    await page.keyboard.type('1');
    await button.click();
    await expect
      .poll(() => errorOf(visitor).textContent())
      .toBe('Enter the card number, expiration date, and CVV.');
    expect(await page.locator('[data-wrong]').count()).toBe(3);
    await typeCard(visitor, cards.approved);
    await expect.poll(() => errorOf(visitor).textContent()).toBe('');
    visitor.expects(/./, 'offline');
    await page.context().setOffline(true);
    await button.click();
    expect(await visitor.reason()).toContain('The connection failed. Try again');
    expect(await button.textContent()).toBe('Try again · $59.99');
    await visitor.checkAccessibility('checkout-offline');
    await page.context().setOffline(false);
    await button.click();
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual([
      { plan: 'quarterly_usd', amount: 5999, currency: 'usd' },
    ]);
    expect(sent).toHaveLength(1);
  },
);

journey(
  'checkout: settings and app link are requested once, and once the card is complete, the bar pays',
  async ({ visitor, server }) => {
    const { page } = visitor;
    const variants = [{ key: 'fullPrice', weight: 100, flow: 'default' }];
    await server.configure({ experiment: 'requested-once', variants, coupons: {} });
    const wanted = /\/users\/me\/(payments-settings|deeplink-qr-code)$/;
    const requested: string[] = [];
    const answered: number[] = [];
    page.on('request', (request) => {
      if (wanted.test(request.url())) requested.push(wanted.exec(request.url())?.[1] ?? '');
    });
    page.on('response', (response) => {
      if (wanted.test(response.url())) answered.push(response.status());
    });
    await startAtCheckout(visitor);
    await visitor.waitLive('card-form');
    const link = () => page.evaluate(() => sessionStorage.getItem('deeplinkUrl') ?? '');
    await expect.poll(link).toMatch(/^http/);
    await typeCard(visitor, cards.approved);
    // The provider's fields show the page's own typeface.
    const number = page.frameLocator('iframe[title="Secure card number input frame"]');
    const faces = () =>
      number.locator('input').evaluate(() => [...document.fonts].map(({ status }) => status));
    await expect.poll(faces).toEqual(['loaded']);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.getByRole('button', { name: 'Pay $59.99' }).and(page.locator('#bar-pay')).click();
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
    expect([requested.sort(), answered]).toEqual([
      ['deeplink-qr-code', 'payments-settings'],
      [200, 200],
    ]);
  },
);
