import { expect } from 'vitest';
import english from '../../locales/en/islands.json' with { type: 'json' };
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { checkScreen } from './clipped-text.ts';
import { offerOf } from './open-checkout.ts';
import { challenge } from './pay.ts';
import { journey } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { payAndFinish, startAtCheckout } from './walk-flow.ts';

const monthly = {
  experiment: 'changes',
  variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  offers: {
    fullPrice: { ...offerOf('monthly', 'quarterly'), upsell: 'upsell_monthly_799' },
  },
};

/** The owner of a monthly plan, on the page of their purchases. */
async function owner(visitor: Visit, server: TestServer) {
  await server.configure(monthly);
  await startAtCheckout(visitor);
  await payAndFinish(visitor);
  await visitor.open('/manage');
}

const amounts = (server: TestServer, { email }: Visit) =>
  server.gatewayCaptures(email).map(({ amount }) => amount);

journey(
  'plan change: a buyer is shown what an upgrade costs, is charged that, and gets a receipt',
  async ({ visitor, another, server }) => {
    await owner(visitor, server);
    await visitor.tap('Switch to the 3-month plan');
    await visitor.sees('less $39.99 for the unused days of your current one');
    const shownText = await visitor.page.getByText('You pay $').textContent();
    const [, shown = ''] = /You pay \$([\d.]+) today/.exec(shownText ?? '') ?? [];
    await checkScreen(visitor, 'manage-upgrade');
    await visitor.tap('Confirm');
    await visitor.sees('Done. A confirmation is on its way to your inbox.');
    await visitor.sees('$59.99 every 3 months');
    expect(amounts(server, visitor).sort()).toEqual([3999, Math.round(Number(shown) * 100)].sort());
    const subjects = () => server.fakes.mail.inbox(visitor.email).map(({ subject }) => subject);
    await expect.poll(subjects, pollTimeout).toContain('Your plan change');

    await visitor.open('/manage');
    const receipts = visitor.page.locator('a[href^="/manage/receipt#"]');
    await visitor.sees('Receipts');
    expect(await receipts.allTextContents()).toEqual([
      expect.stringContaining(shown),
      expect.stringContaining('$39.99'),
    ]);
    await receipts.last().click();
    await visitor.sees('Payment reference');
    await visitor.sees('Seller');
    await visitor.sees('Visa ending in 4242');
    await visitor.sees('$39.99');
    await checkScreen(visitor, 'receipt');
    const { pathname, hash } = new URL(visitor.page.url());
    await visitor.page.goto('about:blank');
    await visitor.open(`${pathname}#unknown`);
    await visitor.sees('Receipt not found');
    await checkScreen(visitor, 'receipt-missing');
    await visitor.page.goto('about:blank');
    await visitor.page.emulateMedia({ media: 'print' });
    await visitor.open(`${pathname}${hash}`);
    await visitor.sees('Payment reference');
    expect(await visitor.page.getByRole('button').count()).toBe(0);
    await visitor.shoot('receipt-printed');

    const stranger = await another();
    await stranger.open(`${pathname}${hash}`);
    await stranger.sees('If you have an account, we’ll email you a link');
    expect(await stranger.page.getByText('$39.99').count()).toBe(0);
  },
);

journey(
  'plan change: the buyer answers the bank’s challenge of an upgrade on the card page',
  async ({ visitor, server }) => {
    await owner(visitor, server);
    const { cards, payment_methods: methods } = server.fakes.stripe.state;
    for (const id of Object.keys(methods)) cards[id] = 'pm_card_authenticationRequired';
    await visitor.tap('Switch to the 3-month plan');
    await visitor.tap('Confirm');
    await visitor.sees('Your bank asks you to confirm $');
    await visitor.sees('Your new plan');
    await checkScreen(visitor, 'upgrade-bank');
    expect(amounts(server, visitor)).toEqual([3999]);
    await visitor.tap('Confirm with your bank');
    await challenge(visitor, 'Complete');
    await visitor.sees('Done. A confirmation is on its way to your inbox.');
    await visitor.open('/manage');
    await visitor.sees('$59.99 every 3 months');
    expect(amounts(server, visitor)).toHaveLength(2);
  },
);

const text = english['my-account'];

journey(
  'pause: the offer for the chosen reason pauses the plan, and the buyer ends the pause',
  async ({ visitor, server }) => {
    await owner(visitor, server);
    await visitor.open('/cancel');
    await visitor.page.locator('select[name=reason]').selectOption('not_needed');
    await checkScreen(visitor, 'cancel-reason');
    await visitor.tap(text.go_on);
    await visitor.sees(text.offer_pause);
    await checkScreen(visitor, 'cancel-offer');
    await visitor.page.locator('#cancel-offer').click();
    await visitor.sees(text.pause_for);
    await visitor.page.locator('input[name=months]').nth(1).check();
    await checkScreen(visitor, 'pause');
    await visitor.tap(text.pause_confirm);
    await visitor.sees(text.changed);
    await visitor.open('/manage');
    await visitor.tap(text.unpause);
    await checkScreen(visitor, 'unpause');
    await visitor.tap(text.confirm);
    await visitor.sees(text.changed);
    expect(amounts(server, visitor)).toEqual([3999]);
  },
);
