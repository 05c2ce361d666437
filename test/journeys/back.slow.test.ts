import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { cards, payWith } from './pay.ts';
import { full, journey } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { openApp, phones } from './walk-flow.ts';

const sampled = ['searching', 'checkout_v3_tr'];
const query = '?gclid=g1&utm_source=meta';

/** Presses Back, once or twice, each time after the page has responded. */
async function back({ page }: Visit, times: 1 | 2): Promise<void> {
  await page.waitForFunction(() => history.state?.guard);
  await page.evaluate(async (presses) => {
    for (let press = 0; press < presses; press += 1) {
      const answered = new Promise((done) => addEventListener('popstate', done, { once: true }));
      history.back();
      await answered;
    }
  }, times);
}

/** Back stays, reload stays, Back twice leaves, and the URL leads here again. */
async function staysOnBackAndReload(
  visitor: Visit,
  server: TestServer,
  screen: string,
): Promise<void> {
  await visitor.arriveAt(screen, query);
  if (!full && !sampled.includes(screen)) return;
  await back(visitor, 1);
  await visitor.arriveAt(screen, query);
  await expect.poll(async () => (await visitor.focus()).onHeading).toBe(true);
  // The second Back of the next pair is the first in its document.
  await visitor.page.reload();
  await visitor.arriveAt(screen, query);
  await visitor.waitLive('toast');
  await back(visitor, 2).catch(() => {});
  await visitor.page.waitForURL(`${server.url}/healthz`);
  await visitor.open(`/${screen}${query}`);
  await visitor.arriveAt(screen, query);
  await visitor.waitLive('toast');
}

journey(
  'navigation: Back and a reload keep every screen and its query',
  async ({ visitor, server }) => {
    // The response is JSON, so the browser requests its default icon.
    visitor.expects(/favicon\.ico$/, 404);
    await visitor.open('/healthz');
    await visitor.open('/?gclid=g1&foo=1&utm_source=meta');
    await visitor.waitLive('phone-form');
    await visitor.page.goBack();
    await visitor.page.waitForURL(`${server.url}/healthz`);
    await visitor.open('/?gclid=g1&foo=1&utm_source=meta');
    await visitor.waitLive('phone-form');
    await visitor.page.reload();
    await visitor.enterPhone(phones.good);

    await staysOnBackAndReload(visitor, server, 'searching');
    await visitor.sees('Number checked');
    await visitor.button.click();
    await staysOnBackAndReload(visitor, server, 'signup');
    await visitor.giveEmail();
    await staysOnBackAndReload(visitor, server, 'checkout_v3_tr');
    if (full) {
      await payWith(visitor, cards.declined);
      await staysOnBackAndReload(visitor, server, 'payment_declined');
      await visitor.waitLive('toast');
      await visitor.tap('Try this card again');
      await visitor.arriveAt('checkout_v3_tr', query);
    }
    await payWith(visitor, cards.approved);
    await staysOnBackAndReload(visitor, server, 'upsell_an_private');
    await visitor.tap('No thanks');
    await visitor.arriveAt('success', query);
    await openApp(visitor);
    await staysOnBackAndReload(visitor, server, 'success');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);
