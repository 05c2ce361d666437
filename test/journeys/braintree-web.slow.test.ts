import type { Browser } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings } from '../worker/canary/search.ts';
import { needlesOf } from '../worker/canary/secrets.ts';
import { openFixture, origins, titles, type } from './braintree-fixture.ts';
import { bankFrame } from './pay.ts';
import { watchRequests } from './personal-data-leaks.ts';
import { full, journey } from './run-journey.ts';

let browser: Browser;
journey.beforeAll(({ browser: shared }) => {
  browser = shared;
});

const verifications = [
  ['without a question, refused', '4000000000001018', null, 'authenticate_frictionless_failed'],
  ['with a question, answered', '4000000000001091', 'Complete', 'authenticate_successful'],
  ['without a question', '4000000000001000', null, 'authenticate_successful'],
  ['with a question, failed', '4000000000001091', 'Fail', 'authenticate_failed'],
] as const;

describe.each(origins)('braintree-web: %s', (_, origin) => {
  test('braintree-web: a card becomes a nonce, its number is stored nowhere', async () => {
    const { page, fakes, faults, close } = await openFixture(browser, origin);
    const traces = watchRequests(page);
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
    const card = { kind: 'card', written: ['4111 1111 1111 1111', '4111111111111111'] };
    const bank = origin ? 'localhost' : 'payments.sandbox.braintree-api.com';
    expect(findings(traces, needlesOf([card]))).toEqual([`sent to ${bank} body: card`]);
    expect(faults).toEqual([]);
    await close();
  });

  test('braintree-web: errors are shown beside their fields', async () => {
    const { page, close } = await openFixture(browser, origin);
    expect(await page.evaluate(() => shop.wrong())).toBe('number: Number?');
    await type(page, '4111 1111 1111 1112', '13 / 34', '12');
    const errors = () => page.evaluate(() => shop.errors);
    await expect.poll(errors).toMatchObject({ number: 'Number!', expiry: 'Expiry!' });
    const focused = () => page.evaluate(() => shop.focused);
    await expect.poll(focused).toMatchObject({ number: false, expiry: false, cvc: true });
    await type(page, '4111 1111 1111 1111', '12 / 34', '12');
    await expect.poll(errors).toMatchObject({ number: '', expiry: '' });
    expect(await page.evaluate(() => shop.wrong())).toBe('cvc: Code…');
    // The fake refuses any number other than a test card.
    await type(page, '4929 1111 1111 1113');
    expect(await page.evaluate(() => shop.wrong())).toBe('number: Number!');
    await page.evaluate(() => shop.unmount());
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
    await close();
  });

  test.each(full ? verifications : verifications.slice(0, 2))(
    'braintree-web: 3-D Secure %s',
    async (_name, number, answer, status) => {
      const { page, fakes, faults, close } = await openFixture(browser, origin);
      await type(page, number);
      const nonce = await page.evaluate(() => shop.nonce());
      const verifying = page.evaluate((given) => shop.verify(given), nonce);
      if (answer) {
        await bankFrame(page).getByRole('button', { name: answer }).click();
      }
      const verified = await verifying;
      const { nonces } = fakes.braintree.state;
      expect(nonces[verified.nonce ?? '']?.threeDSecure?.status).toBe(status);
      expect(nonces[nonce]?.consumed).toBe(true);
      expect(faults).toEqual([]);
      await close();
    },
  );

  test('braintree-web: a used nonce is replaced by reading the card again, but not for a saved card', async () => {
    const { page, fakes, close } = await openFixture(browser, origin);
    await type(page, '4111 1111 1111 1111');
    await page.evaluate(() => shop.nonce());
    const good = { consumed: false, threeDSecure: { liabilityShifted: true } };
    const { nonces } = fakes.braintree.state;
    const { nonce = '' } = await page.evaluate(() => shop.verify(''));
    expect(nonces[nonce]).toMatchObject(good);
    // A saved card is verified without card fields, by a nonce from the server.
    await page.evaluate(() => shop.unmount());
    const again = await page.evaluate((given) => shop.verify(`${given}#411111`), nonce);
    expect(nonces[again.nonce ?? '']).toMatchObject(good);
    const none = await page.evaluate(() => shop.verify(''));
    expect(none).toEqual({ error: { code: 'challenge_unavailable' } });
    await close();
  });

  test('braintree-web: each wallet shows both amounts and its nonce is charged', async () => {
    const { page, fakes, faults, close } = await openFixture(browser, origin);
    expect(await page.evaluate(() => shop.wallets(true))).toBe(true);
    const kinds = { 'Apple Pay': 'apple_pay', 'Google Pay': 'google_pay', PayPal: 'paypal' };
    for (const [name, kind] of Object.entries(kinds)) {
      const button = page.getByRole('button', { name });
      const sheet = page.getByRole('dialog', { name: `${name} sheet` });
      await button.click();
      await sheet.getByRole('button', { name: 'Cancel' }).click();
      await button.click();
      await sheet.waitFor();
      expect(await sheet.locator('dd').allTextContents()).toEqual(['5.99 USD', '39.99 USD']);
      expect(await sheet.locator('dt').allTextContents()).toEqual([
        'Monthly, trial of 7 days',
        'From 2035-11-27',
      ]);
      await sheet.getByRole('button', { name: 'Pay' }).click();
      await page.waitForFunction(() => shop.paid.length > 0);
      await sheet.waitFor({ state: 'detached' });
      const [paid, ...more] = await page.evaluate(() => shop.paid.splice(0));
      expect(fakes.braintree.state.nonces[paid?.nonce ?? '']).toMatchObject({
        consumed: false,
        card: { kind },
      });
      const device = { correlation_id: expect.stringMatching(/^[\w-]{16,}$/) };
      expect([JSON.parse(paid?.deviceData ?? 'null'), more]).toEqual([device, []]);
    }
    expect([await page.evaluate(() => shop.failed), faults]).toEqual([[], []]);
    await close();
  });

  test('braintree-web: an unauthenticated Google Pay card is verified; a wallet gives no second nonce', async () => {
    const { page, fakes, close } = await openFixture(browser, origin);
    await page.evaluate(() => shop.wallets(true));
    await page.getByRole('button', { name: 'Google Pay' }).click();
    await page.getByLabel('Card whose bank asks').check();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForFunction(() => shop.paid.length > 0);
    const verifying = page.evaluate(() => shop.verify(shop.paid[0]?.nonce ?? ''));
    await bankFrame(page).getByRole('button', { name: 'Complete' }).click();
    const { nonce = '' } = await verifying;
    expect(fakes.braintree.state.nonces[nonce]).toMatchObject({
      card: { kind: 'google_pay' },
      threeDSecure: { status: 'authenticate_successful' },
    });
    const { error } = await page.evaluate(() => shop.verify(''));
    expect(error?.code).toBe('card_declined');
    await close();
  });
});
