import { expect } from 'vitest';
import { journey } from './run-journey.ts';
import { startAtCheckout, startAtSignup } from './walk-flow.ts';

journey('sign-up: refuses an e-mail that another visitor has', async ({ visitor, another }) => {
  const first = await another();
  await startAtCheckout(first);
  await startAtSignup(visitor);
  visitor.expects(/\/signup$/, 422);
  await visitor.giveEmail(first.email);
  await visitor.sees('The email has already been taken');
  await visitor.checkAccessibility('email-taken');
  expect(await visitor.page.locator('#email').inputValue()).toBe(first.email);
  // Typing removes the error and shows the shortcuts again; filling alone presses no key.
  await visitor.page.locator('#email').press('End');
  await visitor.giveEmail();
  await visitor.arriveAt('checkout_v3_tr');
});
