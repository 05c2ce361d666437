import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { journey as ordinary } from './run-journey.ts';
import { payAndFinish, startAtCheckout } from './walk-flow.ts';

const journey = ordinary.extend('country', { scope: 'file' }, 'DE');

journey('withdrawal: a European buyer withdraws from a purchase', async ({ visitor, server }) => {
  await startAtCheckout(visitor);
  await payAndFinish(visitor);
  await visitor.page.getByRole('link', { name: 'Your purchases' }).click();
  await visitor.arriveAt('manage');
  await visitor.tap('Withdraw from contract here');
  await visitor.sees('you get €59.99 back.');
  await visitor.checkAccessibility('manage-withdraw');
  await visitor.tap('Confirm withdrawal');
  await visitor.sees('Withdrawal received. Your money goes to the card or account you paid with.');
  const subjects = () => server.fakes.mail.inbox(visitor.email).map(({ subject }) => subject);
  await expect
    .poll(() => subjects().sort(), pollTimeout)
    .toEqual(['We received your withdrawal', 'Your receipt', 'Your refund']);
  await visitor.page.locator('a[href^="/manage/receipt#"]').click();
  await visitor.sees('Includes all taxes.');
  await visitor.sees('€59.99 refunded on');
  await visitor.checkAccessibility('receipt-refunded');
});
