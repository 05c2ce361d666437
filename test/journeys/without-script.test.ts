import { expect } from 'vitest';
import { journey } from './journey.ts';
import { phones } from './walk.ts';

journey('without JavaScript up to the payment', async ({ another }) => {
  const visitor = await another({ javaScriptEnabled: false });
  await visitor.open('/?gclid=g1');
  await visitor.enterPhone(phones.good);
  await visitor.arriveAt('searching', '?gclid=g1');
  await visitor.button.click();
  await visitor.arriveAt('signup', '?gclid=g1');
  await visitor.giveEmail();
  await visitor.arriveAt('checkout_v3_tr', '?gclid=g1');
  await visitor.sees('$39.99');
  expect(await visitor.page.locator('input[name=plan]').count()).toBe(2);
  await visitor.shoot('checkout-without-script');
  visitor.expects(/checkout_v3_tr/, 422);
  await visitor.button.click();
  await visitor.sees('Paying needs JavaScript. Please turn it on and reload the page.');
  await visitor.shoot('payment-without-script');
});

journey('a bad number without JavaScript', async ({ another }) => {
  const visitor = await another({ javaScriptEnabled: false });
  visitor.expects(/one_pager/, 400);
  await visitor.open();
  await visitor.enterPhone(phones.bad);
  await visitor.sees('Phone number is incorrect');
  await visitor.tap('Go back');
  await visitor.arriveAt('one_pager');
});
