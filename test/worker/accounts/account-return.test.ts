import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { attemptId } from '../payments/attempts/attempt-fixture.ts';
import { runAlarm, stubStripe } from '../payments/payments-fixture.ts';
import { request, statusAndCode } from '../request.ts';
import {
  bearer,
  browser,
  buy,
  cardPurchase,
  knowing,
  newEmail,
  signedUp,
  signInByEmail,
} from './browser.ts';

const emailTaken = [422, 'email_taken'];
const day = 24 * 60 * 60_000;
const settings = '/users/me/payments-settings';

test('returning: a former buyer needs an e-mailed link, also after the plan has ended', async () => {
  let ahead = 0;
  const fake = stubStripe({ now: () => Date.now() + ahead });
  const [buyer, email] = [browser(), newEmail()];
  const { access_token, entity } = await signedUp(buyer, email);
  await buy(buyer, access_token);
  const purchases = env.PURCHASES.getByName(entity.external_user_id);
  const [held] = await purchases.ownedSubscriptions();
  await purchases.cancelSubscription(held?.subscription.attempt ?? attemptId(''));
  await runAlarm(purchases);
  ahead += 40 * day;
  fake.passTime();
  await purchases.sync();
  expect(await purchases.hasActiveMainPlan()).toBe(false);
  expect(await statusAndCode(buyer.signUp(email))).toEqual(emailTaken);
});

test('returning: while 3-D Secure is pending the same browser does not get in', async () => {
  stubStripe();
  const [buyer, email] = [browser(), newEmail()];
  const { access_token } = await signedUp(buyer, email);
  const card = { ...cardPurchase, payment_method_nonce: 'pm_card_authenticationRequired' };
  await buy(buyer, access_token, 'monthly_usd', card);
  expect(await statusAndCode(buyer.signUp(email))).toEqual(emailTaken);
  expect((await buyer.read(settings, access_token)).status).toBe(200);
});

test('returning: after a decline the same browser gets in', async () => {
  stubStripe();
  const [buyer, email] = [browser(), newEmail()];
  const { access_token } = await signedUp(buyer, email);
  const card = { ...cardPurchase, payment_method_nonce: 'pm_card_chargeDeclined' };
  await buyer.send('/users/me/subscriptions/monthly_usd', card, access_token);
  await signedUp(buyer, email);
});

test('returning: a second sign-up in the same browser ends the first session', async () => {
  const [one, email] = [browser(), newEmail()];
  const { access_token: earlier } = await signedUp(one, email);
  const { access_token } = await signedUp(one, email);
  expect((await one.read(settings, earlier)).status).toBe(401);
  expect((await one.read(settings, access_token)).status).toBe(200);
});

test('returning: a visitor id that somebody copied opens neither a verified account nor its purchases', async () => {
  stubStripe();
  const [owner, email] = [browser(), newEmail()];
  const stranger = knowing(owner);
  await signedUp(owner, email);
  await signInByEmail(owner, email);
  expect(await statusAndCode(stranger.signUp(email))).toEqual(emailTaken);
  const { access_token } = await signInByEmail(owner, email);
  await buy(owner, access_token);
  expect(await statusAndCode(stranger.signUp(email))).toEqual(emailTaken);
  expect((await owner.read(settings, access_token)).status).toBe(200);
});

test('returning: the browser loses to a sign-in of the mailbox’s owner', async () => {
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  await signedUp(attacker, email);
  let opened = '';
  const { PURCHASES } = env;
  // The account moves between the read of the purchases and the new session.
  const more = {
    PURCHASES: {
      getByName: (name: string) => ({
        everPaid: async () => {
          opened = (await signInByEmail(victim, email)).access_token;
          return PURCHASES.getByName(name).everPaid();
        },
      }),
    },
  };
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: attacker.cookie },
    body: JSON.stringify({ email, user_uuid: attacker.uuid, landing_type: 'split_fullPrice' }),
  };
  const response = await request('/api/v1/signup', init, more as never);
  expect(await statusAndCode(response)).toEqual(emailTaken);
  expect((await request(`/api/v1${settings}`, { headers: bearer(opened) })).status).toBe(200);
});
