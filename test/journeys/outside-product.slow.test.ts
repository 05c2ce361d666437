import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { outside } from './console-and-network-errors.ts';
import { emailedLink } from './emailed-links.ts';
import { journey as plain } from './run-journey.ts';
import { goToCheckout, payAndFinish } from './walk-flow.ts';

const key = 'sk_the_key_of_the_products_server_1';

const journey = plain.extend(
  'vars',
  { scope: 'file' },
  {
    PRODUCT_API_URL: 'https://product.test/api/v3',
    SERVER_KEY_HASHES: createHash('sha256').update(key).digest('hex'),
  },
);

journey(
  'outside product: a visitor signs up and pays there, invites here, and may not when the product ends the plan',
  async ({ visitor, server }) => {
    const { page } = visitor;
    const { product, sms } = server.fakes;
    const asked = () => sms.state.messages.filter(({ body }) => body.includes('Olga asks you'));
    await goToCheckout(visitor);
    await payAndFinish(visitor);
    const [user] = product.users;
    expect(user).toMatchObject({ email: visitor.email });
    expect(Object.values(user?.subscriptions ?? {})).toHaveLength(1);
    expect(server.gatewayCaptures(visitor.email)).toEqual([]);

    await page.locator('#name').fill('Olga');
    await visitor.sees(/Olga asks you to share your location once, visible for 1 day/);
    await visitor.tap('Text them for me');
    await visitor.sees(/^We emailed a six-digit code to/);
    expect(asked()).toEqual([]);

    const mailed = await emailedLink(server, visitor.email, '/m#');
    await outside(page, async () => {
      const tab = await page.context().newPage();
      await tab.goto(new URL(mailed, page.url()).href);
      await tab.waitForURL(/\/success$/);
      await tab.locator('[data-state=sending], [data-state=sent]').waitFor();
      await tab.close();
      await page.locator('[data-state=sending], [data-state=sent]').waitFor();
    });
    // The product's session is still the tab's, beside the new one of ours.
    const tokens = await page.evaluate(() => [
      sessionStorage.getItem('access_token'),
      sessionStorage.getItem('own'),
    ]);
    expect(tokens).toEqual([user?.token, expect.stringMatching(/^ey/)]);

    const notice = {
      email: visitor.email,
      external_user_id: user?.id,
      access_until: 0,
      changed_at: Date.now(),
    };
    const ended = await fetch(`${server.url}/webhooks/product`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(notice),
    });
    expect(ended.status).toBe(200);
    await expect
      .poll(async () => {
        await page.reload();
        await page.locator('#invitation [data-state]').waitFor();
        return page.locator('[data-state=not_shared]').count();
      }, pollTimeout)
      .toBe(1);
    visitor.expects(/users\/me\/invitations$/, 409);
    await page.locator('#invite-another').click();
    await page.locator('#phone').fill('+1 213 555 0143');
    await page.locator('#name').fill('Olga');
    await visitor.tap('Text them for me');
    await visitor.sees('Please choose your plan first.');
    for (const path of ['/manage', '/cancel']) {
      await page.goto(new URL(path, page.url()).href);
      await visitor.sees(/Purchases with this email aren’t managed here/);
    }
  },
);
