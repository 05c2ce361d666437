import { expect } from 'vitest';
import { developmentVars } from '../../scripts/development-vars.ts';
import { consentValue } from '../../worker/visitor/rules/consent.ts';
import { textsOf } from '../locales/flat.ts';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { cards, payWith, pressBankButton } from './pay.ts';
import { full, journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { startAtSignup } from './walk-flow.ts';

const journey = plain.extend('country', { scope: 'file' }, 'NL');

const paid = [{ plan: 'quarterly_eur', amount: 5999, currency: 'eur' }];
const flow = ['one_pager', 'searching', 'signup', 'checkout_v3_tr', 'upsell_an_private', 'success'];
const variants = [{ key: 'fullPrice', weight: 100, flow: 'banks' }];
const bank_methods = ['sepa_debit', 'ideal', 'bancontact'];

async function startAtBanks(visitor: Visit, server: TestServer, consent: 'yes' | 'no' = 'yes') {
  const secret = developmentVars.STRIPE_WEBHOOK_SECRET;
  server.fakes.deliverTo({ origin: server.url, secret });
  const cookie = { name: 'consent', value: consentValue(consent), url: server.url };
  await visitor.page.context().addCookies([cookie]);
  await server.configure(
    { experiment: 'banks', variants, bank_methods },
    { flows: { banks: flow } },
  );
  await startAtSignup(visitor);
  await visitor.giveEmail();
  await visitor.arriveAt('checkout_v3_tr');
}

/** Chooses iDEAL and leaves for the bank's page. */
async function goToBank(visitor: Visit, language = 'en') {
  const { page } = visitor;
  // A tap that waits for its code moves the page without a recent tap.
  await visitor.waitLive('bank-form');
  await visitor.tap(textsOf(language, 'islands.json').get('bank-form.open') ?? '');
  const frame = page.frameLocator('iframe[title="Secure payment input frame"]');
  await frame.getByLabel('Payment method').selectOption('iDEAL');
  await frame.getByLabel('Full name').fill('Test Buyer');
  await frame.getByLabel('Email').fill('buyer@example.com');
  await pressBankButton(visitor);
  await page.getByRole('heading', { name: 'Test payment page' }).waitFor();
}

const answer = ({ page }: Visit, name: 'Complete' | 'Fail') =>
  page.getByRole('button', { name }).click();

const intentOf = (server: TestServer) =>
  Object.keys(server.fakes.stripe.state.payment_intents).at(-1) ?? '';

journey.runIf(full).for([
  ['en', 'yes'],
  ['en', 'no'],
  ['ar', 'yes'],
] as const)(
  'bank redirect, %s, consent %s: refused at first, then paid once',
  async ([language, consent], { another, server }) => {
    const visitor = await another({ locale: language });
    await startAtBanks(visitor, server, consent);
    await goToBank(visitor, language);
    await answer(visitor, 'Fail');
    await visitor.sees(textsOf(language, 'islands.json').get('payment-return.declined') ?? '');
    await visitor.arriveAt('checkout_v3_tr');
    await visitor.readsWell();
    await visitor.shoot(`bank-refused-${language}`);
    await goToBank(visitor, language);
    await answer(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    expect(server.taken(visitor.email)).toEqual(paid);
    await expect.poll(() => server.booked(visitor.email), pollTimeout).toEqual(paid);
  },
);

journey.runIf(full)(
  'bank redirect: Back, then the same bank page again; paid once',
  async ({ visitor, server }) => {
    await startAtBanks(visitor, server);
    await goToBank(visitor);
    const intent = intentOf(server);
    await visitor.page.goBack();
    await visitor.arriveAt('checkout_v3_tr');
    await goToBank(visitor);
    expect(intentOf(server)).toBe(intent);
    await answer(visitor, 'Complete');
    await visitor.arriveAt('upsell_an_private');
    expect(server.taken(visitor.email)).toEqual(paid);
  },
);

journey.runIf(full)(
  'bank redirect: who pays and closes the tab has the plan, and does not pay again',
  async ({ visitor, server }) => {
    await startAtBanks(visitor, server);
    await goToBank(visitor);
    server.fakes.stripe.challenge(intentOf(server), 'authenticated');
    await expect.poll(() => server.booked(visitor.email), pollTimeout).toEqual(paid);
    await visitor.page.goBack();
    await visitor.arriveAt('checkout_v3_tr');
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    expect(server.taken(visitor.email)).toEqual(paid);
    await visitor.open('/manage');
    await visitor.sees('Active');
  },
);
