import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { onlyFlow } from './all-flows.ts';
import type { Visit } from './browser-session.ts';
import { journey } from './run-journey.ts';
import { payAndFinish } from './walk-flow.ts';

const landline = '+49 30 12345678';
const told = 'This number can’t receive texts. Please use a mobile number.';
/** Above the message that we would send. */
const text = 'The text they get, in your name';
const ready = `For ${landline}, you send the link yourself`;

/** A flow without a screen for the look-up. */
const short = ['one_pager', 'signup', 'checkout_v3_tr', 'upsell_an_private', 'success'] as const;

async function chooseLink(visit: Visit): Promise<void> {
  await visit.arriveAt('searching');
  await visit.sees(told);
  // Nothing that moves is the effect of a tap now.
  await visit.page.reload();
  await visit.sees(told);
  await visit.page.locator('#send-link').click();
  await visit.sees('Number checked');
  await visit.sees('The page the link opens');
  expect(await visit.page.getByText(text).isVisible()).toBe(false);
  await visit.page.reload();
  await visit.sees('Number checked');
  await visit.button.click();
  await visit.arriveAt('signup');
}

/** The number is never texted by us, and no confirmation is needed for a link. */
async function copyLink(visit: Visit): Promise<void> {
  const { page } = visit;
  await visit.sees(/^We can’t text this number\./);
  expect(await page.locator('#send, input[value=until_stopped]').count()).toBe(0);
  await page.locator('#name').fill('Anna');
  await page.locator('#copy').click();
}

journey(
  'landline: told before the e-mail in a flow without a look-up, then asked by link to the end',
  async ({ visitor, server }) => {
    await server.configure(onlyFlow('short'), { flows: { short } });
    await visitor.open();
    await visitor.enterPhone(landline);
    await chooseLink(visitor);
    await visitor.giveEmail();
    await visitor.arriveAt('checkout_v3_tr');
    await visitor.sees(ready);
    expect(await visitor.page.getByText(/^Ready to ask/).isVisible()).toBe(false);
    await visitor.checkAccessibility('checkout-by-link');
    await payAndFinish(visitor);
    await copyLink(visitor);
    await visitor.page.getByText(/\/i#[\w-]{22}$/).waitFor();
    await visitor.sees('Answer by');
    await visitor.checkAccessibility('invitation-by-link');
    // Someone else, whose number is a landline too.
    await visitor.page.locator('#invite-another').click();
    await visitor.page.locator('#phone').fill('+49 900 1234567');
    await visitor.page.locator('#name').focus();
    await copyLink(visitor);
    await expect.poll(() => visitor.page.locator('[data-state=sent]').count(), pollTimeout).toBe(2);
    expect(server.fakes.sms.state.messages.map(({ to }) => to)).not.toContain('+493012345678');
  },
);

journey(
  'landline: without JavaScript it is told, and there are two ways on',
  async ({ another, server }) => {
    await server.configure(onlyFlow('default'));
    const visitor = await another({ javaScriptEnabled: false });
    visitor.expects(/one_pager/, 422);
    await visitor.open('/one_pager');
    await visitor.enterPhone(landline);
    await visitor.sees(told);
    await visitor.shoot('landline-without-script');
    await visitor.tap('Use another number');
    await visitor.arriveAt('one_pager');
    await visitor.enterPhone(landline);
    await visitor.tap('Send them a link myself');
    await visitor.arriveAt('searching');
  },
);
