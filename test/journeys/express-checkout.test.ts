import type {
  StripeExpressCheckoutElementConfirmEvent as Confirm,
  StripeExpressCheckoutElementOptions as ExpressOptions,
  Stripe,
} from '@stripe/stripe-js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../../scripts/chromium.ts';
import { createFakes } from '../fakes/index.ts';
import { findAccessibilityFaults } from './accessibility.ts';

interface TestWindow {
  Stripe: (key: string) => Stripe;
  events: unknown[];
  /** The page's handling of the click; by default it resolves at once. */
  clicked?: 'rejects' | 'waits';
}

const policy =
  "default-src 'none'; script-src https://js.stripe.com; frame-src https://js.stripe.com; connect-src https://api.stripe.com";
const shopHtml = `<!doctype html><html lang="en"><head><title>Shop</title>
<meta http-equiv="content-security-policy" content="${policy}"></head>
<body><main><h1>Shop</h1><div id="express"></div></main><script src="https://js.stripe.com/v3/"></script></body></html>`;

let browser: Browser;
let page: Page;
const errors: string[] = [];
const { fetch, stripe } = createFakes();

beforeAll(async () => {
  browser = await openChromium();
});
afterEach(async () => {
  await page.close();
  errors.length = 0;
});
afterAll(() => browser.close());

const never = { paypal: 'never', link: 'never' } as const;

/** A page with the wallets, in a browser that supports some. */
async function shop(
  options: ExpressOptions = {},
  has: string[] = [],
  clicked?: TestWindow['clicked'],
) {
  page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addInitScript((names: string[]) => {
    Object.assign(window, {
      ApplePaySession: names.includes('apple') ? { canMakePayments: () => true } : undefined,
      PaymentRequest: class {
        canMakePayment = async () => names.includes('google');
      },
    });
  }, has);
  await page.route('**/*', async (route) => {
    const pageRequest = route.request();
    if (pageRequest.url() === 'https://shop.example/') {
      await route.fulfill({ contentType: 'text/html', body: shopHtml });
      return;
    }
    const method = pageRequest.method();
    const body = pageRequest.postDataBuffer() ?? undefined;
    const headers = await pageRequest.allHeaders();
    const plain = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
    const request = new Request(pageRequest.url(), {
      method,
      headers: plain,
      body: body && new Uint8Array(body),
    });
    const response = await fetch(request);
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  await page.goto('https://shop.example/');
  await page.evaluate(
    ({ given, clicked: way }) => {
      const shop = window as unknown as TestWindow;
      const client = shop.Stripe('pk_test_page');
      shop.events = [];
      const elements = client.elements({
        mode: 'subscription',
        amount: 699,
        currency: 'eur',
        paymentMethodCreation: 'manual',
      });
      const element = elements.create('expressCheckout', given);
      element.on('ready', ({ availablePaymentMethods }) => {
        shop.events.push(['ready', availablePaymentMethods ?? null]);
      });
      element.on('click', ({ expressPaymentType, resolve, reject }) => {
        shop.events.push(['click', expressPaymentType]);
        if (way === 'rejects') reject();
        if (!way) resolve({ lineItems: [{ name: '7 days', amount: 699 }] });
      });
      element.on('cancel', () => void shop.events.push(['cancel']));
      element.on('confirm', async ({ expressPaymentType, paymentFailed }: Confirm) => {
        const early = await client.createPaymentMethod({ elements }).catch(() => 'too early');
        await elements.submit();
        const { paymentMethod, error } = await client.createPaymentMethod({ elements });
        shop.events.push(['confirm', expressPaymentType, early, paymentMethod?.id ?? error?.code]);
        paymentFailed({ reason: 'fail' });
        await elements.submit();
        const again = await client.createPaymentMethod({ elements });
        shop.events.push(['again', again.error?.type]);
      });
      element.mount(document.querySelector('#express') as HTMLElement);
    },
    { given: { paymentMethods: never, ...options } as object, clicked },
  );
  await page.waitForFunction(() => (window as unknown as TestWindow).events.length > 0);
}

const events = () => page.evaluate(() => (window as unknown as TestWindow).events);
const buttons = () => page.frameLocator('iframe[title="Secure express checkout frame"]');
const sheet = (wallet: string) => page.getByRole('dialog', { name: `${wallet} sheet` });
const names = () => buttons().getByRole('button').allTextContents();
const none = { amazonPay: false, klarna: false, link: false, paypal: false };

test('express checkout: offers the wallets of browser and page', async () => {
  await shop({ buttonType: { applePay: 'order', googlePay: 'order' } }, ['apple', 'google']);
  expect(await names()).toEqual(['Order with Apple Pay', 'Order with Google Pay']);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(await events()).toEqual([['ready', { ...none, applePay: true, googlePay: true }]]);
  await page.close();
  await shop({ paymentMethods: { ...never, applePay: 'never' } }, ['apple']);
  expect(await events()).toEqual([['ready', null]]);
  expect(await page.locator('iframe').count()).toBe(0);
});

test.each([
  ['Apple Pay', 'apple_pay', 'Card that approves', 'pm_card_visa'],
  ['Google Pay', 'google_pay', 'Card that declines', 'pm_card_visa_chargeDeclined'],
  ['Apple Pay', 'apple_pay', 'Card whose bank asks', 'pm_card_authenticationRequiredOnSetup'],
])('express checkout: %s (%s) by %s creates a payment method', async (name, type, label, card) => {
  await shop({}, ['apple', 'google']);
  await buttons().getByRole('button', { name }).click();
  await sheet(name).waitFor();
  expect(await sheet(name).locator('dl').textContent()).toContain('€6.99');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await sheet(name).getByLabel(label).check();
  await sheet(name).getByRole('button', { name: 'Pay' }).click();
  await page.waitForFunction(() => (window as unknown as TestWindow).events.length === 4);
  const [, click, confirm, again] = (await events()) as string[][];
  expect(click).toEqual(['click', type]);
  const id = confirm?.[3] ?? '';
  expect(confirm).toEqual(['confirm', type, 'too early', expect.stringMatching(/^pm_/)]);
  expect(again).toEqual(['again', 'validation_error']);
  expect(stripe.state.cards[id]).toBe(card);
  expect(stripe.state.payment_methods[id]?.card?.wallet?.type).toBe(type);
  expect(errors).toEqual([]);
});

test('express checkout: the sheet can be left and opened again', async () => {
  await shop({}, ['apple']);
  for (const way of ['Cancel', 'Escape']) {
    await buttons().getByRole('button').click();
    await sheet('Apple Pay').waitFor();
    if (way === 'Escape') await page.keyboard.press('Escape');
    else await sheet('Apple Pay').getByRole('button', { name: 'Cancel' }).click();
    await sheet('Apple Pay').waitFor({ state: 'detached' });
  }
  const clicked = [['click', 'apple_pay'], ['cancel']];
  expect((await events()).slice(1)).toEqual([...clicked, ...clicked]);
});

test('express checkout: a rejected click opens nothing, an unresolved one times out', async () => {
  await shop({}, ['apple'], 'rejects');
  await buttons().getByRole('button').click();
  await page.waitForFunction(() => (window as unknown as TestWindow).events.length === 2);
  expect(await sheet('Apple Pay').count()).toBe(0);
  await page.close();
  await shop({}, ['apple'], 'waits');
  const pageError = page.waitForEvent('pageerror');
  await buttons().getByRole('button').click();
  expect((await pageError).message).toContain('within 1 second');
  expect(await sheet('Apple Pay').count()).toBe(0);
});
