import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { checkScreen } from './clipped-text.ts';
import { emailedLink, openLinkAs } from './emailed-links.ts';
import { offerOf } from './open-checkout.ts';
import { cards, payWith } from './pay.ts';
import { journey } from './run-journey.ts';
import { buyPlan, openApp, payAndFinish, startAtCheckout } from './walk-flow.ts';

const intro = {
  experiment: 'intro',
  variants: [{ key: 'intro/7d', weight: 100, flow: 'default' }],
  offers: {
    'intro/7d': { ...offerOf('monthly_7d', 'quarterly'), upsell: 'upsell_monthly_799' },
  },
};

/** A date some days ahead, in the format of English e-mails. */
const inDays = (days: number) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.now() + days * 24 * 60 * 60_000,
  );

journey(
  'cancellation: starts at the e-mailed confirmation, takes two steps and shows a receipt',
  async ({ visitor, another, server }) => {
    await server.configure(intro);
    const dayBefore = inDays(7);
    await startAtCheckout(visitor);
    await payAndFinish(visitor);
    const link = await emailedLink(server, visitor.email, '/cancel');
    const inbox = () => server.fakes.mail.inbox(visitor.email).map(({ text }) => text);
    expect(inbox()[0]).toMatch(/Paid on .*: \$6\.99/);
    const [, end = ''] =
      /From (.+), you pay \$39\.99 every month until you/.exec(inbox()[0] ?? '') ?? [];
    // The day may have changed while the visitor paid.
    expect([dayBefore, inDays(7)]).toContain(end);
    expect(link).toBe('/cancel');

    const elsewhere = await another();
    await elsewhere.open(link);
    await elsewhere.page.locator('#email').fill(visitor.email);
    await checkScreen(elsewhere, 'cancel-signed-out');
    await elsewhere.tap('Email me a link');
    await elsewhere.sees('If you have an account, a link is on its way.');
    const code = await emailedLink(server, visitor.email, '/cancel#');
    expect(code).toMatch(/^\/cancel#/);
    await elsewhere.open('/');
    await openLinkAs(elsewhere, code, visitor.email);
    await elsewhere.sees(`Paid until ${end}`);
    await checkScreen(elsewhere, 'cancel-choice');
    await elsewhere.tap('Continue to cancel');
    await elsewhere.sees(`It stays active until ${end}, then it ends.`);
    const focused = elsewhere.page.locator('h2:focus');
    expect(await focused.textContent()).toBe('Nothing is canceled yet. If you confirm:');
    await checkScreen(elsewhere, 'cancel-confirm');
    await elsewhere.tap('Cancel now');
    await elsewhere.sees('Canceled. A receipt is on its way to your inbox.');
    await elsewhere.sees(`active until ${end}, then it ends.`);
    await checkScreen(elsewhere, 'cancel-done');
    await expect.poll(() => inbox().length, pollTimeout).toBe(3);
    expect(inbox()[2]).toContain(`It stays active until ${end}, then it ends.`);
  },
);

journey(
  'my account: lists subscriptions and is deleted in two steps, with a confirmed e-mail',
  async ({ visitor, server }) => {
    await buyPlan(visitor);
    await visitor.tap(/^Add for/);
    await visitor.arriveAt('success');
    await openApp(visitor);
    await visitor.open('/manage');
    await visitor.sees('Anonymous mode and private chat');
    await checkScreen(visitor, 'manage');
    await visitor.page.getByRole('button', { name: 'Cancel', exact: true }).first().click();
    await visitor.sees('The extras you added end with it.');
    await checkScreen(visitor, 'manage-asking');
    await visitor.tap('Keep it');
    visitor.expects(/users\/me\/export$/, 403);
    await visitor.tap('Download my data');
    await visitor.sees('Please confirm your email first.');
    await checkScreen(visitor, 'manage-unconfirmed');
    await visitor.tap('Email me a link');
    await visitor.open(await emailedLink(server, visitor.email, '/manage#'));
    await visitor.sees('Anonymous mode and private chat');
    const copy = visitor.page.waitForEvent('download');
    await visitor.tap('Download my data');
    expect((await copy).suggestedFilename()).toBe('my-data.json');
    await visitor.tap('Delete my account');
    await visitor.sees('We erase your email and links.');
    await visitor.tap('Delete now');
    await visitor.sees('Your account has been deleted.');
    await visitor.open('/manage');
    await visitor.page.locator('#email').waitFor();
  },
);

journey(
  'checkout: whoever comes back after paying finds the active plan, nothing to buy, and goes on',
  async ({ visitor }) => {
    const paid = visitor.page.getByText('Your plan is active');
    await startAtCheckout(visitor);
    expect(await paid.isVisible()).toBe(false);
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    await visitor.open('/checkout_v3_tr');
    await paid.waitFor();
    expect(
      await visitor.page.getByRole('link', { name: 'Your purchases' }).count(),
    ).toBeGreaterThan(0);
    expect(
      await visitor.page.locator('#plans, #pay, [data-bar]').filter({ visible: true }).count(),
    ).toBe(0);
    await visitor.checkAccessibility();
    await visitor.page.getByRole('link', { name: 'Continue to the invitation' }).click();
    await visitor.arriveAt('success');
  },
);
