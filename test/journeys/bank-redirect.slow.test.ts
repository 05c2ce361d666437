import { expect } from 'vitest';
import { textsOf } from '../locales/flat-texts.ts';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { openStripeCheckout, pressAtProvider } from './open-checkout.ts';
import { clickBelowFrames } from './pay.ts';
import { journey as plain } from './run-journey.ts';

const journey = plain.extend('country', { scope: 'file' }, 'NL');

const paid = [{ plan: 'quarterly_eur', amount: 5999, currency: 'eur' }];
const texts = textsOf('en', 'islands.json');
const config = { bank_methods: ['sepa_debit', 'ideal', 'bancontact'] };

/** Chooses iDEAL and leaves for the bank's page. */
async function goToBank(visitor: Visit) {
  const { page } = visitor;
  // A tap that waits for its code would move the page without a recent tap.
  await visitor.waitLive('bank-form');
  await visitor.tap(texts.get('bank-form.open') ?? '');
  const frame = page.frameLocator('iframe[title="Secure payment input frame"]');
  await frame.getByLabel('Payment method').selectOption('iDEAL');
  await frame.getByLabel('Full name').fill('Test Buyer');
  await frame.getByLabel('Email').fill('buyer@example.com');
  await clickBelowFrames(visitor.page.locator('#bank-button'));
  await page.getByRole('heading', { name: 'Test payment page' }).waitFor();
}

journey(
  'bank redirect: refused at first, then paid once, without consent',
  async ({ visitor, server }) => {
    await openStripeCheckout(visitor, server, config, 'no');
    await goToBank(visitor);
    await pressAtProvider(visitor, 'Fail');
    await visitor.sees(texts.get('payment-return.declined') ?? '');
    await visitor.arriveAt('checkout_v3_tr');
    await visitor.checkAccessibility('bank-refused');
    await goToBank(visitor);
    await pressAtProvider(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
    await expect.poll(() => server.ledgerCaptures(visitor.email), pollTimeout).toEqual(paid);
  },
);
