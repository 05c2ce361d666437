import { expect } from 'vitest';
import { developmentVars } from '../../scripts/development-vars.ts';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { checkScreen } from './clipped-text.ts';
import { outside } from './console-and-network-errors.ts';
import { cards, challenge, clickBelowFrames, payByBraintree } from './pay.ts';
import { journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { goToSignup, payAndFinish, startAtCheckout } from './walk-flow.ts';

const journey = plain.extend('vars', { scope: 'file' }, { BRAINTREE_THREE_D_SECURE: 'always' });

/** Lets three months pass at the fakes, while every card known to them is declined. */
async function failRenewal({ fakes, url }: TestServer) {
  fakes.deliverTo({ origin: url, secret: developmentVars.STRIPE_WEBHOOK_SECRET });
  for (const action of ['decline', 'month', 'month', 'month']) {
    const sent = { method: 'POST', body: new URLSearchParams({ action }) };
    expect((await fetch(`${url}/fakes/bank/`, { ...sent, redirect: 'manual' })).status).toBe(303);
  }
}

async function enterCard({ page, button }: Visit, number: string, titles: readonly string[]) {
  const values = [number, '12 / 34', '123'];
  for (const [at, title] of titles.entries()) {
    const field = page.frameLocator(`iframe[title="${title}"]`).locator('input');
    await field.fill(values[at] ?? '');
  }
  await clickBelowFrames(button);
}

const stripeFields = [
  'Secure card number input frame',
  'Secure expiration date input frame',
  'Secure CVC input frame',
];

const late = ({ page }: Visit) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'last payment failed' }) });

journey(
  'new card: after a declined card, a card that the bank challenges pays the open invoice once',
  async ({ visitor, server }) => {
    await startAtCheckout(visitor);
    await payAndFinish(visitor);
    await failRenewal(server);
    await expect
      .poll(async () => {
        await visitor.open('/manage');
        await visitor.sees('Your data');
        return late(visitor).count();
      }, pollTimeout)
      .toBe(1);
    await visitor.sees('Visa ending in 4242');
    await checkScreen(visitor, 'manage-late');
    await late(visitor).getByRole('link').click();
    await visitor.sees('$59.99 is overdue.');
    await visitor.page.locator('[data-preloader]').waitFor({ state: 'detached' });
    await checkScreen(visitor, 'card');

    await enterCard(visitor, cards.declined, stripeFields);
    await visitor.sees('Your bank declined this card.');
    await enterCard(visitor, cards.challenged, stripeFields);
    await outside(visitor.page, async () => {
      await challenge(visitor, 'Complete');
      await visitor.sees('Your new card is saved, and $59.99 is paid.');
    });
    await visitor.sees('Visa ending in 3155');
    await checkScreen(visitor, 'card-saved');
    expect(server.gatewayCaptures(visitor.email).map(({ amount }) => amount)).toEqual([5999, 5999]);
    await expect.poll(() => server.ledgerCaptures(visitor.email), pollTimeout).toHaveLength(2);
    await visitor.tap('See your purchases');
    await visitor.arriveAt('manage');
    await visitor.sees('Visa ending in 3155');
    expect(await late(visitor).count()).toBe(0);
  },
);

const braintreeFields = ['رقم البطاقة', 'تاريخ الانتهاء، الشهر والسنة', 'رمز الأمان'];

journey(
  'new card: from an e-mailed link in another browser, in Arabic, at Braintree with 3-D Secure',
  async ({ visitor, another, server }) => {
    const variants = [{ key: 'fullPrice', weight: 100, flow: 'lp11ch8b' }];
    await server.configure({ experiment: 'braintree', variants });
    await goToSignup(visitor);
    await visitor.giveEmail();
    await visitor.arriveAt('checkout_h3_pp_braintree');
    await payByBraintree(visitor, '4000 0000 0000 1000');
    await visitor.arriveAt('upsell_an_private');
    await failRenewal(server);
    const link = await server.cardLink(visitor.email);
    const elsewhere = await another();
    await elsewhere.open(link.replace('#', '?custom_lng=ar#'));
    await elsewhere.button.filter({ hasText: 'متابعة' }).click();
    await elsewhere.page.locator('[data-preloader]').waitFor({ state: 'detached' });
    expect(await elsewhere.button.textContent()).toContain('59.99');
    expect(new URL(elsewhere.page.url()).hash).toBe('');
    await checkScreen(elsewhere, 'card-ar');
    await enterCard(elsewhere, '4000 0000 0000 1091', braintreeFields);
    await outside(elsewhere.page, async () => {
      await challenge(elsewhere, 'Complete');
      await elsewhere.sees('تم حفظ بطاقتك الجديدة ودفع');
    });
    await checkScreen(elsewhere, 'card-saved-ar');
    const captured = server.fakes.braintree.captures().map(({ amount }) => amount);
    expect(captured).toEqual([5999, 5999]);
    // The link can be used once.
    const late = await another();
    await late.open(link);
    await late.sees('This link has expired or was used.');
  },
);
