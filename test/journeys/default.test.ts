import { expect } from 'vitest';
import { cards, payWith } from './pay.ts';
import { journey } from './run-journey.ts';
import { openApp, phones } from './walk-flow.ts';

journey('default flow: from the landing page to the app', async ({ visitor, server }) => {
  /** @param later a title that may have replaced the first */
  const expectScreen = async (screen: string, title: string, later = title) => {
    await visitor.arriveAt(screen);
    await expect.poll(() => visitor.focus()).toEqual({ title, onHeading: true });
    expect([title, later]).toContain(await visitor.title());
    await visitor.checkAccessibility(screen);
  };
  await visitor.open();
  await visitor.arriveAt('one_pager');
  await visitor.checkAccessibility('one_pager');
  await visitor.enterPhone(phones.good);

  await expectScreen('searching', 'Checking the number', 'Ready to ask them');
  await visitor.sees('Number checked');
  await visitor.checkAccessibility('searching-found');
  await visitor.button.click();

  await expectScreen('signup', 'Where should we send their answer?');
  await visitor.giveEmail();

  await expectScreen('checkout_v3_tr', 'Choose your plan');
  await payWith(visitor, cards.approved);

  const benefit = 'Stay in touch without showing as online.';
  await expectScreen('upsell_an_private', 'Anonymous mode and private chat.', benefit);
  await visitor.tap(/^Add for/);

  await visitor.arriveAt('success');
  await openApp(visitor);
  // The previous screen has stated that the plan is active.
  expect(await visitor.page.getByText('Payment successful').count()).toBe(0);
  await visitor.checkAccessibility('success');
  // The QR code is for wide screens only.
  await visitor.page.setViewportSize({ width: 1280, height: 844 });
  await visitor.page.getByRole('img', { name: 'QR code' }).waitFor();
  await visitor.shoot('success-1280');

  const paid = [
    { plan: 'quarterly_usd', amount: 5999, currency: 'usd' },
    { plan: 'upsell_monthly_999_usd', amount: 699, currency: 'usd' },
  ];
  expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
  await expect.poll(() => server.ledgerCaptures(visitor.email)).toEqual(paid);
});
