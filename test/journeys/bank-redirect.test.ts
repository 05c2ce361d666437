import { expect } from 'vitest';
import { textsOf } from '../locales/flat-texts.ts';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { newestIntent, openStripeCheckout, pressAtProvider } from './open-checkout.ts';
import { cards, clickBelowFrames, payWith } from './pay.ts';
import { full, journey as plain } from './run-journey.ts';

const journey = plain.extend('country', { scope: 'file' }, 'NL');

const paid = [{ plan: 'quarterly_eur', amount: 5999, currency: 'eur' }];
const config = { bank_methods: ['sepa_debit', 'ideal', 'bancontact'] };

/** Chooses iDEAL and leaves for the bank's page. */
async function goToBank(visitor: Visit, language = 'en') {
  const { page } = visitor;
  // A tap that waits for its code would move the page without a recent tap.
  await visitor.waitLive('bank-form');
  await visitor.tap(textsOf(language, 'islands.json').get('bank-form.open') ?? '');
  const frame = page.frameLocator('iframe[title="Secure payment input frame"]');
  await frame.getByLabel('Payment method').selectOption('iDEAL');
  await frame.getByLabel('Full name').fill('Test Buyer');
  await frame.getByLabel('Email').fill('buyer@example.com');
  await clickBelowFrames(visitor.page.locator('#bank-button'));
  await page.getByRole('heading', { name: 'Test payment page' }).waitFor();
}

journey.runIf(full).for([
  ['en', 'yes'],
  ['en', 'no'],
  ['ar', 'yes'],
] as const)(
  'bank redirect, %s, consent %s: refused at first, then paid once',
  async ([language, consent], { another, server }) => {
    const visitor = await another({ locale: language });
    await openStripeCheckout(visitor, server, config, consent);
    await goToBank(visitor, language);
    await pressAtProvider(visitor, 'Fail');
    await visitor.sees(textsOf(language, 'islands.json').get('payment-return.declined') ?? '');
    await visitor.arriveAt('checkout_v3_tr');
    await visitor.checkAccessibility(`bank-refused-${language}`);
    await goToBank(visitor, language);
    await pressAtProvider(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
    await expect.poll(() => server.ledgerCaptures(visitor.email), pollTimeout).toEqual(paid);
  },
);

journey.runIf(full)(
  'bank redirect: after Back the same bank page opens again, and the plan is paid once',
  async ({ visitor, server }) => {
    await openStripeCheckout(visitor, server, config);
    await goToBank(visitor);
    const intent = newestIntent(server);
    await visitor.page.goBack();
    await visitor.arriveAt('checkout_v3_tr');
    await goToBank(visitor);
    expect(newestIntent(server)).toBe(intent);
    await pressAtProvider(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
  },
);

journey.runIf(full)(
  'bank redirect: a buyer who pays and closes the tab has the plan, and does not pay again',
  async ({ visitor, server }) => {
    await openStripeCheckout(visitor, server, config);
    await goToBank(visitor);
    server.fakes.stripe.challenge(newestIntent(server), 'authenticated');
    await expect.poll(() => server.ledgerCaptures(visitor.email), pollTimeout).toEqual(paid);
    await visitor.page.goBack();
    await visitor.arriveAt('checkout_v3_tr');
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
    await visitor.open('/manage');
    await visitor.sees('Active');
  },
);
