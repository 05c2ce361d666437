import { expect } from 'vitest';
import { languages, textsOf } from '../locales/flat-texts.ts';
import type { Visit } from './browser-session.ts';
import { cards, typeCard } from './pay.ts';
import { full, journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { startAtCheckout } from './walk-flow.ts';

/** A separate server, because others must find Stripe's circuit closed. */
const journey = plain.extend('vars', { scope: 'file' }, { BRAINTREE_THREE_D_SECURE: 'on_request' });

const paid = [{ plan: 'quarterly_usd', amount: 5999, currency: 'usd' }];
const braintreeCard = '4111 1111 1111 1111';
const testedLanguages = languages.filter(
  (language) => language === 'en' || (full && language === 'ar'),
);

const captures = ({ fakes }: TestServer) => fakes.braintree.captures().map(({ amount }) => amount);

const changes = ({ lines }: TestServer, state: 'open' | 'closed') =>
  lines.filter((line) => line.includes('circuit_changed') && line.includes(`"state":"${state}"`))
    .length;

/** The labels of Braintree's fields are set by us. */
function fieldsOf({ page }: Visit, locale: string) {
  const texts = textsOf(locale, 'islands.json');
  return (['number', 'expiry', 'cvc'] as const).map((field) =>
    page.frameLocator(`iframe[title="${texts.get(`card-form.titles.${field}`)}"]`).locator('input'),
  );
}

async function payAtBraintree(visitor: Visit, locale: string): Promise<void> {
  const [number, expiry, cvc] = fieldsOf(visitor, locale);
  await number?.fill(braintreeCard);
  await expiry?.fill('12 / 34');
  await cvc?.fill('123');
  await visitor.button.click();
}

journey.for(testedLanguages)(
  'failover in %s: Stripe is down, the page says why and takes the card at Braintree',
  async (locale, { another, server }) => {
    const before = captures(server).length;
    const opened = changes(server, 'open');
    const visitor = await another({ locale });
    const { page } = visitor;
    await startAtCheckout(visitor);
    await typeCard(visitor, cards.approved);
    await server.without('api.stripe.com', async () => {
      await visitor.button.click();
      const notice = page.locator('form .notice [role=alert]');
      await notice.waitFor();
      const sentence = textsOf(locale, 'errors.json').get('gateway_changed') ?? '';
      expect(await notice.textContent()).toBe(sentence);
      // Who keeps the card safe stays.
      expect(await page.locator('form [translate=no]').textContent()).toBe('Braintree');
      await fieldsOf(visitor, locale)[0]?.waitFor();
      await expect.poll(() => page.locator('iframe[title^=Secure]').count()).toBe(0);
      await visitor.checkAccessibility(`failover-${locale}`);
      await payAtBraintree(visitor, locale);
      await visitor.arriveAt('upsell_an_private');
      await expect.poll(() => changes(server, 'open')).toBeGreaterThan(opened);
      // The next buyer types the card only once.
      const next = await another({ locale });
      await startAtCheckout(next);
      await payAtBraintree(next, locale);
      await next.arriveAt('upsell_an_private');
      expect(await next.page.locator('main').textContent()).not.toContain('Stripe');
    });
    await expect.poll(() => changes(server, 'closed')).toBe(changes(server, 'open'));
    expect(captures(server).slice(before)).toEqual([5999, 5999]);
    expect(server.gatewayCaptures(visitor.email)).toEqual([]);
    await expect.poll(() => server.ledgerCaptures(visitor.email)).toEqual(paid);
  },
);
