import { expect } from 'vitest';
import { journey } from './journey.ts';

for (const screen of ['upsell_an_private', 'success']) {
  journey(`${screen} without a plan leads to the checkout`, async ({ visitor }) => {
    visitor.finds(screen);
    await visitor.open(`/${screen}`);
    await visitor.sees('Your plan comes first');
    await visitor.readsWell();
    await visitor.shoot(`${screen}-without-plan`);
    await visitor.tap('Choose a plan');
    await visitor.arriveAt('checkout_v3_tr');
  });
}

journey('the checkout without an account leads to the e-mail', async ({ visitor }) => {
  await visitor.open('/checkout_v3_tr');
  await visitor.sees('Your e-mail comes first');
  await visitor.readsWell();
  await visitor.shoot('checkout-without-account');
  await visitor.tap('Enter your e-mail');
  await visitor.arriveAt('signup');
});

journey('the search without a number leads to the landing', async ({ visitor }) => {
  await visitor.open('/searching');
  await visitor.sees('We need a phone number first.');
  await visitor.readsWell();
  await visitor.button.click();
  await visitor.arriveAt('one_pager');
});

journey('an address that leads nowhere has a way back', async ({ visitor }) => {
  visitor.expects(/\/nowhere$/, 404);
  await visitor.open('/nowhere');
  expect(await visitor.heading.textContent()).toBe('This page took a wrong turn');
  await visitor.readsWell();
  await visitor.shoot('nowhere');
  await visitor.tap('Back to the start');
  await visitor.arriveAt('one_pager');
});
