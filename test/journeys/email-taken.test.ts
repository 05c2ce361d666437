import { expect } from 'vitest';
import { journey } from './journey.ts';
import { goToCheckout, goToSignup } from './walk.ts';

journey('an e-mail that another visitor has', async ({ visitor, another }) => {
  const first = await another();
  await goToCheckout(first);
  await goToSignup(visitor);
  visitor.expects(/\/signup$/, 422);
  await visitor.giveEmail(first.email);
  await visitor.sees('The email has already been taken');
  await visitor.readsWell();
  await visitor.shoot('email-taken');
  expect(await visitor.page.locator('#email').inputValue()).toBe(first.email);
  await visitor.giveEmail();
  await visitor.arriveAt('checkout_v3_tr');
});
