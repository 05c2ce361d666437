import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { full, journey as ordinary } from './run-journey.ts';
import { payAndFinish, startAtCheckout } from './walk-flow.ts';

const journey = ordinary.extend('country', { scope: 'file' }, 'DE');

journey.runIf(full)(
  'withdrawal: a European buyer withdraws from a purchase',
  async ({ visitor, server }) => {
    await startAtCheckout(visitor);
    await payAndFinish(visitor);
    await visitor.page.getByRole('link', { name: 'Your purchases' }).click();
    await visitor.arriveAt('manage');
    await visitor.tap('Withdraw and get your money back');
    await visitor.sees('You get back €39.99.');
    await visitor.readsWell();
    await visitor.shoot('manage-withdraw');
    await visitor.tap('Withdraw now');
    await visitor.sees('Withdrawn. Your money goes back to where it came from.');
    const subjects = () => server.fakes.mail.inbox(visitor.email).map(({ subject }) => subject);
    await expect
      .poll(() => subjects().sort(), pollTimeout)
      .toEqual(['We received your withdrawal', 'Your receipt', 'Your refund']);
  },
);
