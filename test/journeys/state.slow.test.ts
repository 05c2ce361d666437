import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { offerOf } from './open-checkout.ts';
import { bankFrame, challenge, payByBraintree } from './pay.ts';
import { journey as plain } from './run-journey.ts';
import { goToSignup } from './walk-flow.ts';

const journey = plain.extend('vars', { scope: 'file' }, { REQUEST_THREE_D_SECURE: '1' });

const slice = (page: Page, name: string): Promise<Record<string, unknown>> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '{}'), `funnel:1:${name}`);

const stored = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

const bodyOf = (request: Request) => JSON.parse(request.postData() ?? '{}');

journey(
  'state: every field is written and read where the specification says',
  async ({ visitor, server }) => {
    const { page, button } = visitor;
    const bought = (path: RegExp) =>
      page.waitForRequest((request) => request.method() === 'POST' && path.test(request.url()));
    const variants = [{ key: 'fullPrice', weight: 100, flow: 'lp11ch8b' }];
    const offer = offerOf('monthly', 'quarterly');
    await server.configure({ experiment: 'state', variants, offers: { fullPrice: offer } });
    await goToSignup(visitor);
    await visitor.giveEmail('nobody');
    await visitor.sees('Enter an email like name@example.com.');
    expect(await slice(page, 'signup')).toMatchObject({ email: 'nobody', emailValidity: false });
    const prepared = page.waitForRequest(/songbird\.js/);
    await visitor.giveEmail();
    await visitor.arriveAt('checkout_h3_pp_braintree');
    await expect
      .poll(() => slice(page, 'signup'), pollTimeout)
      .toMatchObject({ emailValidity: true, userLocation: 'US', threeDS: 1 });
    // Every card is verified, so Cardinal's script loads before payment.
    await prepared;
    // The summary's plan is selected before any choice.
    await expect
      .poll(() => slice(page, 'plans'), pollTimeout)
      .toMatchObject({
        plan: 'monthly_usd',
        planDetails: { id: 'monthly_usd', period: 'month' },
      });
    await page.getByRole('radio', { name: /3 months/ }).check();
    await expect
      .poll(() => slice(page, 'plans'), pollTimeout)
      .toMatchObject({
        flowType: 'lp11ch8b',
        plan: 'quarterly_usd',
        planDetails: { id: 'quarterly_usd', period: 'quarter' },
      });

    const [first, lookUp] = [
      bought(/subscriptions\/quarterly_usd/),
      bought(/three_d_secure\/lookup/),
    ];
    await payByBraintree(visitor, '4000 0000 0000 1091');
    const { payment_method_nonce: nonce, user_data } = bodyOf(await first);
    expect([nonce, user_data]).toEqual([
      expect.stringMatching(/^tokencc/),
      expect.objectContaining({ flow_type: 'lp11ch8b', period: 'quarter' }),
    ]);
    expect(bodyOf(await lookUp).additionalInfo).toMatchObject({
      billingCountryCode: 'US',
      email: visitor.email,
    });
    await bankFrame(page).getByRole('button', { name: 'Complete' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const message = await visitor.reason();
    expect(message).toContain('You closed your bank’s window');
    expect(await stored(page)).not.toMatch(/tokencc|You closed|Nonce|paymentError/);

    await button.click();
    await challenge(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    const upsell = bought(/subscriptions\/upsell_/);
    await button.click();
    const plan = new URL((await upsell).url()).pathname.split('/').at(-1);
    await visitor.arriveAt('success');
    expect((await slice(page, 'plans')).upsellPlan).toBe(plan);
    expect(await stored(page)).not.toMatch(/tokencc/);
  },
);
