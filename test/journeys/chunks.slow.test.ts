import { expect } from 'vitest';
import { networkVars } from '../../scripts/development-vars.ts';
import { requestBodies } from './delay-requests.ts';
import { journey } from './run-journey.ts';
import { goToCheckout, payAndFinish, phones } from './walk-flow.ts';

const chunk = /\/phone-form\.[^/]+\.chunk\.js$/;
const late = 'Part of this page didn’t load. Check your connection and reload.';

journey(
  'chunks: a chunk that never loads is reported, and the form works without it',
  async ({ visitor }) => {
    visitor.expects(chunk, 'aborted');
    const events = requestBodies(visitor, 'POST', /\/api\/v1\/events$/);
    await visitor.page.route(chunk, (route) => route.abort());
    await visitor.open();
    expect(await visitor.toast()).toBe(late);
    await visitor.shoot('chunk-failed');
    await expect.poll(() => events.join()).toContain('Loading chunk phone-form failed');
    expect(JSON.parse(events[0] ?? '').events[0]).toMatchObject({
      name: 'chunk_failed',
      properties: { type: 'error', screen_name: 'one_pager' },
    });
    await visitor.enterPhone(phones.good);
    await visitor.arriveAt('searching');
    await visitor.sees('Number checked');
  },
);

journey('chunks: a chunk removed by a deploy reloads the page once', async ({ visitor }) => {
  let tries = 0;
  visitor.expects(chunk, 404);
  const { promise: typed, resolve: hasTyped } = Promise.withResolvers<void>();
  await visitor.page.route(chunk, async (route) => {
    tries += 1;
    if (tries > 1) return route.continue();
    await typed;
    return route.fulfill({ status: 404, body: 'gone' });
  });
  await visitor.open();
  await visitor.page.locator('#phone').fill(phones.good);
  const again = visitor.page.waitForEvent('domcontentloaded');
  hasTyped();
  await again;
  await visitor.waitLive('phone-form');
  expect(await visitor.page.locator('#phone').inputValue()).toBe(phones.good);
  await visitor.button.click();
  await visitor.arriveAt('searching');
});

/** Code that only measures; `later` holds that of ad networks. */
const measuring = /\/(visit|paint|later)\.[^/]+\.chunk\.js$/;
const withNetworks = journey.override('vars', networkVars);

withNetworks(
  'chunks: a visitor whose blocker stops code that measures buys and sees no error',
  async ({ visitor, server }) => {
    visitor.expects(measuring, 'aborted');
    let stopped = 0;
    await visitor.page.route(measuring, (route) => {
      stopped += 1;
      return route.abort();
    });
    await goToCheckout(visitor);
    await visitor.waitLive('card-form');
    await payAndFinish(visitor);
    expect(stopped).toBeGreaterThan(0);
    expect(await visitor.page.locator('x-island[failed]').count()).toBe(0);
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);
