import { expect } from 'vitest';
import { emailedLink, openLinkAs } from './emailed-links.ts';
import { full, journey } from './run-journey.ts';
import {
  goToCheckout,
  goToSignup,
  payAndFinish,
  startAtCheckout,
  startAtSignup,
} from './walk-flow.ts';

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

journey.runIf(full)(
  'sign-up: a returning visitor gets a link and continues',
  async ({ visitor, another, server }) => {
    const before = await another();
    await goToCheckout(before, '?gclid=g1');
    await goToSignup(visitor);
    visitor.expects(/\/signup$/, 422);
    await visitor.giveEmail(before.email);
    await visitor.tap('Email me a sign-in link');
    await visitor.sees('Check your inbox');
    await visitor.checkAccessibility('mail-link-sent');
    const link = await emailedLink(server, before.email, '/m#');
    // The address was typed in this browser, so the link opens without a question.
    await visitor.open(link);
    await visitor.arriveAt('checkout_v3_tr');
    await payAndFinish(visitor);
    expect(server.gatewayCaptures(before.email)).toHaveLength(1);

    const late = await another();
    await late.open(link);
    await late.sees('This link has already been used.');
    await late.checkAccessibility('mail-link-used');
    await late.tap('Email me a new one');
    await late.sees('Check your inbox');
    await late.open('/');
    await openLinkAs(late, await emailedLink(server, before.email, '/m#', 2), before.email);
    await late.arriveAt('success');
    await late.page.locator('#continue-button[href]').waitFor();
    const shown = late.page.locator('[data-fill="signup.email"]');
    await expect.poll(() => shown.textContent()).toBe(before.email);
  },
);
