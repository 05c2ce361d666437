import { expect } from 'vitest';
import { journey } from './journey.ts';
import { goToCheckout, payAndFinish, phones } from './walk.ts';

journey('a browser that keeps nothing for us but cookies', async ({ visitor, house }) => {
  await visitor.page.addInitScript(() => {
    const blocked = {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    };
    Object.defineProperty(window, 'localStorage', blocked);
    Object.defineProperty(window, 'sessionStorage', blocked);
  });
  await goToCheckout(visitor);
  await payAndFinish(visitor);
  expect(house.taken(visitor.email)).toHaveLength(1);
});

journey('a visitor from a country where consent comes first', async ({ another, house }) => {
  const visitor = await another({ extraHTTPHeaders: { 'cf-ipcountry': 'DE' } });
  await visitor.open();
  await visitor.enterPhone(phones.abroad);
  await visitor.arriveAt('searching');
  await visitor.sees('Number checked');
  await visitor.button.click();
  await visitor.arriveAt('signup');
  await visitor.giveEmail();
  await visitor.arriveAt('checkout_v3_tr');
  await visitor.shoot('checkout-germany');
  await payAndFinish(visitor);
  expect(house.taken(visitor.email)).toMatchObject([{ plan: 'monthly_eur', currency: 'eur' }]);
  const kept = await visitor.page.evaluate(() => [localStorage.length, sessionStorage.length]);
  expect(kept).toEqual([0, 0]);
});
