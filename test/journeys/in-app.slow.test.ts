import { expect } from 'vitest';
import { openLinkAs } from './emailed-links.ts';
import { openCheckout } from './open-checkout.ts';
import { openCard } from './pay.ts';
import { full, journey } from './run-journey.ts';

/** Web views inside apps have no wallets. */
const withoutWallets = () => void Reflect.deleteProperty(window, 'PaymentRequest');

journey.runIf(full)(
  'in-app browser: the visit continues in the phone’s own browser',
  async ({ another, server }) => {
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 300.0';
    const inside = await another({ userAgent, permissions: ['clipboard-read', 'clipboard-write'] });
    await inside.page.addInitScript(withoutWallets);
    await openCheckout('checkout_v3_pp', inside, server);
    await inside.shoot('in-app');
    await inside.tap('Copy the link');
    await inside.sees('Copied. The link opens this page once, within 15 minutes.');
    const link = new URL(await inside.page.evaluate(() => navigator.clipboard.readText()));
    expect(link.href).not.toContain(inside.email);
    const outside = await another();
    await openLinkAs(outside, `${link.pathname}${link.hash}`, inside.email);
    await outside.arriveAt('checkout_v3_pp');
    await openCard(outside);
    await outside.page.locator('iframe[title="Secure card number input frame"]').waitFor();
  },
);

journey(
  'in-app browser: a refused clipboard shows the link instead',
  async ({ another, server }) => {
    const userAgent =
      'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Version/4.0 Chrome/120 Mobile Safari/537.36';
    const inside = await another({ userAgent });
    await inside.page.addInitScript(withoutWallets);
    await inside.page.addInitScript(() => {
      const refuse = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
      Object.assign(Clipboard.prototype, { write: refuse, writeText: refuse });
    });
    await openCheckout('checkout_v3_pp', inside, server);
    await inside.tap('Copy the link');
    await inside.sees('Copy this link into your browser.');
    const link = await inside.page.getByText(/^http.*\/m#/).textContent();
    await inside.shoot('in-app-link');
    await inside.checkAccessibility();
    const outside = await another();
    const { pathname, hash } = new URL(link ?? '');
    await openLinkAs(outside, `${pathname}${hash}`, inside.email);
    await outside.arriveAt('checkout_v3_pp');
  },
);
