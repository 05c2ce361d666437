import { openLinkAs } from './emailed-links.ts';
import { openCheckout } from './open-checkout.ts';
import { journey } from './run-journey.ts';

/** Web views inside apps have no wallets. */
const withoutWallets = () => void Reflect.deleteProperty(window, 'PaymentRequest');

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
