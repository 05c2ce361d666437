import type { FrameLocator, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { consentValue } from '../../worker/visitor/rules/consent.ts';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { openStripeCheckout } from './open-checkout.ts';
import { clickBelowFrames } from './pay.ts';
import { journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';

const journey = plain.extend('country', { scope: 'file' }, 'NL');

const paid = [{ plan: 'quarterly_eur', amount: 5999, currency: 'eur' }];

/** The frame of a busy phone, which receives typed input a second later. */
const slow = (frame: FrameLocator) =>
  frame.locator('body').evaluate(() => {
    const handled = new WeakSet<Event>();
    const delay = (event: Event) => {
      if (handled.has(event)) return;
      event.stopImmediatePropagation();
      const late = new Event(event.type, { bubbles: true });
      handled.add(late);
      setTimeout(() => event.target?.dispatchEvent(late), 1000);
    };
    addEventListener('input', delay, { capture: true });
  });

/** A payment screen that offers banks, with their fields open. */
async function openBank(visitor: Visit, server: TestServer) {
  await openStripeCheckout(visitor, server, { bank_methods: ['sepa_debit'] });
  // A tap that waits for its code would move the page without a recent tap.
  await visitor.waitLive('bank-form');
  await visitor.tap('Pay from a bank account');
  const frame = visitor.page.frameLocator('iframe[title="Secure payment input frame"]');
  await slow(frame);
  await frame.getByLabel('Full name').fill('Test Buyer');
  await frame.getByLabel('Email').fill('buyer@example.com');
  await visitor.sees('A bank debit can take up to 14 business days.');
  return frame;
}

journey(
  'bank account: a SEPA debit gives provisional access, and is booked once the bank has paid',
  async ({ visitor, server }) => {
    const { url } = server;
    await visitor.page.context().addCookies([{ name: 'consent', value: consentValue('yes'), url }]);
    await visitor.page.emulateMedia({ colorScheme: 'dark' });
    const frame = await openBank(visitor, server);
    const colourOf = (place: Locator) => place.evaluate((body) => getComputedStyle(body).color);
    expect(await colourOf(frame.locator('body'))).toBe(
      await colourOf(visitor.page.locator('body')),
    );
    await visitor.shoot('checkout-bank-dark');
    await frame.getByLabel('IBAN').fill('AT321904300235473204');
    await visitor.checkAccessibility('checkout-bank');
    await clickBelowFrames(visitor.page.locator('#bank-button'));
    await visitor.arriveAt('success');
    await visitor.sees('it ends if the payment fails');
    expect(await server.ledgerCaptures(visitor.email)).toEqual([]);
    await visitor.open('/manage');
    await visitor.sees('Bank payment under way');
    await visitor.checkAccessibility();
    const body = new URLSearchParams({ action: 'month' });
    await server.fakes.fetch(new Request('https://bank/', { method: 'POST', body }));
    await expect.poll(() => server.ledgerCaptures(visitor.email), pollTimeout).toEqual(paid);
    await visitor.open('/manage');
    await visitor.sees('Active');
  },
);
