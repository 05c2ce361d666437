import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from '../../scripts/chromium.ts';
import { clientTokenFor } from '../fakes/braintree/client-token.ts';
import { openShop, titles, type } from './braintree-shop.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

describe.each([
  ['unmodified, at the real hosts', ''],
  ['the stand-in, on our own origin', '/fakes'],
] as const)('braintree-web: %s', (_, vendors) => {
  test('a card becomes a nonce; its number is kept nowhere', async () => {
    const { page, fakes, faults, close } = await openShop(browser, vendors);
    for (const [title, autocomplete] of [
      [titles.number, 'cc-number'],
      [titles.expiry, 'cc-exp'],
      [titles.cvc, 'cc-csc'],
    ]) {
      const input = page.frameLocator(`iframe[title="${title}"]`).locator('input');
      expect(await input.getAttribute('autocomplete')).toBe(autocomplete);
    }
    await type(page, '4111 1111 1111 1111');
    const nonce = await page.evaluate(() => shop.nonce());
    expect(fakes.braintree.state.nonces[nonce]?.card).toMatchObject({
      brand: 'VISA',
      last4: '1111',
    });
    expect(JSON.stringify(fakes.braintree.state)).not.toContain('4111111111111111');
    expect(faults).toEqual([]);
    await close();
  });

  test('what is wrong is said beside its field', async () => {
    const { page, close } = await openShop(browser, vendors);
    expect(await page.evaluate(() => shop.wrong())).toBe('number: Number?');
    await type(page, '4111 1111 1111 1112', '13 / 34', '12');
    const errors = () => page.evaluate(() => shop.errors);
    await expect.poll(errors).toMatchObject({ number: 'Number?', expiry: 'Expiry?' });
    await type(page, '4111 1111 1111 1111', '12 / 34', '12');
    await expect.poll(errors).toMatchObject({ number: '', expiry: '' });
    expect(await page.evaluate(() => shop.wrong())).toBe('cvc: Code?');
    // A number that is no test card is refused by the fake itself.
    await type(page, '4929 1111 1111 1113');
    expect(await page.evaluate(() => shop.wrong())).toBe('number: Number?');
    await page.evaluate(() => shop.unmount());
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
    await close();
  });

  test.each([
    ['without a question', '4000000000001000', null, 'authenticate_successful'],
    ['without a question, refused', '4000000000001018', null, 'authenticate_frictionless_failed'],
    ['with a question, answered', '4000000000001091', 'Complete', 'authenticate_successful'],
    ['with a question, failed', '4000000000001091', 'Fail', 'authenticate_failed'],
  ] as const)('3-D Secure %s', async (_name, number, answer, status) => {
    const { page, fakes, faults, close } = await openShop(browser, vendors);
    await type(page, number);
    const nonce = await page.evaluate(() => shop.nonce());
    const verifying = page.evaluate((given) => shop.verify(given), nonce);
    if (answer) {
      const bank = page.frameLocator('iframe[title="3D Secure authentication frame"]');
      await bank.getByRole('button', { name: answer }).click();
    }
    const verified = await verifying;
    const { nonces } = fakes.braintree.state;
    expect(nonces[verified.nonce ?? '']?.threeDSecure?.status).toBe(status);
    expect(nonces[nonce]?.consumed).toBe(true);
    expect(faults).toEqual([]);
    await close();
  });

  test('a spent nonce is replaced by reading the card again, a saved card by none', async () => {
    const { page, fakes, close } = await openShop(browser, vendors);
    await type(page, '4111 1111 1111 1111');
    await page.evaluate(() => shop.nonce());
    const good = { consumed: false, threeDSecure: { liabilityShifted: true } };
    const { nonces } = fakes.braintree.state;
    const { nonce = '' } = await page.evaluate(() => shop.verify(''));
    expect(nonces[nonce]).toMatchObject(good);
    // A saved card is verified without its fields, by a nonce that the server made.
    await page.evaluate(() => shop.unmount());
    const again = await page.evaluate((given) => shop.verify(`${given}#411111`), nonce);
    expect(nonces[again.nonce ?? '']).toMatchObject(good);
    const none = await page.evaluate(() => shop.verify(''));
    expect(none).toEqual({ error: { message: 'no card fields', code: undefined } });
    await close();
  });

  test('a PayPal account becomes a nonce', async () => {
    const { page, fakes, faults, close } = await openShop(browser, vendors);
    const base = vendors || 'https://';
    await page.addScriptTag({
      url: `${vendors ? `${base}/` : base}js.braintreegateway.com/web/3.144.0/js/paypal-checkout.min.js`,
    });
    const nonce = await page.evaluate(
      (authorization) => shop.payPal(authorization),
      clientTokenFor(undefined),
    );
    expect(fakes.braintree.state.nonces[nonce]?.card.kind).toBe('paypal');
    // The policy admits no PayPal page, which is asked for nothing here.
    expect(faults.filter((fault) => !/checkout\.paypal\.com/.test(fault))).toEqual([]);
    await close();
  });
});
