import { expect } from 'vitest';
import { checkScreen } from './clipped-text.ts';
import { journey } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { reachStage, replaceAccounts } from './visitor-stage.ts';

/** Other journeys invite on the same server, under other names. */
const invitationsIn = (server: TestServer) =>
  server.fakes.sms.state.messages.filter(({ body }) => /: Mi[ao] asks you/.test(body));

journey(
  'my account: the buyer invites someone on a page of its own, sees the message change, and sends it',
  async ({ visitor, server }) => {
    const { page } = visitor;
    await reachStage('paid', visitor, server);
    await visitor.open('/manage');
    await visitor.sees('Next charge');
    await replaceAccounts(server);
    const title = page.locator('h1:focus > span');
    const purchases = page.getByRole('heading', { name: 'Monthly plan' });
    await visitor.tap('Invite someone');
    expect(await title.textContent()).toBe('Invite someone');
    expect(await purchases.count()).toBe(0);
    await visitor.tap('Send from my phone');
    await visitor.sees('Add your name first.');
    await checkScreen(visitor, 'manage-inviting');

    await page.locator('#name').fill('Mio');
    await page.locator('label:has([value=hour])').click();
    await visitor.sees(/Mio asks you to share your location once, visible for 1 hour/);
    await visitor.tap('See your purchases');
    expect(await title.textContent()).toBe('Your purchases');
    await purchases.waitFor();
    await visitor.tap('Invite someone');
    await page.locator('#name').fill('Mia');
    await page.locator('label:has([value=day])').click();
    await visitor.sees(/Mia asks you to share your location once, visible for 1 day/);
    await checkScreen(visitor, 'manage-message');
    expect(invitationsIn(server)).toEqual([]);
    await visitor.tap('Text them for me');
    await visitor.sees('Confirm your email.');
    await checkScreen(visitor, 'manage-invited');

    await visitor.tap('See your purchases');
    await purchases.waitFor();
    await visitor.sees('Confirm your email.');
    await page.reload();
    await purchases.waitFor();
    await visitor.sees('Confirm your email.');
    expect(await page.locator('h1').textContent()).toBe('Your purchases');
    expect(invitationsIn(server)).toEqual([]);
  },
);
