import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { delayRequests } from './delay-requests.ts';
import { emailedLink } from './emailed-links.ts';
import { journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { payAndFinish, startAtCheckout } from './walk-flow.ts';

const stores = {
  APP_STORE_URL: 'https://apps.apple.com/app/id1',
  GOOGLE_PLAY_URL: 'https://play.google.com/store/apps/details?id=x',
  APP_SCHEME: 'family',
};
const journey = plain.extend('vars', { scope: 'file' }, stores);

const iPhone = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  hasTouch: true,
};
const desktop = { viewport: { width: 1280, height: 800 } };

/** The app link on the success screen. */
async function linkOf({ page }: Visit): Promise<string> {
  const href = (await page.locator('#continue-button').getAttribute('href')) ?? '';
  return href.slice(href.indexOf('/d#'));
}

async function buy(visit: Visit): Promise<string> {
  await startAtCheckout(visit);
  await payAndFinish(visit);
  return linkOf(visit);
}

/** Redeems a code as the app does; returns the status. */
async function redeem(server: TestServer, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await fetch(`${server.url}/api/v1/deeplink/redeem`, init)).status;
}

const codeIn = (link: string) => link.slice(link.indexOf('#') + 1);

journey(
  'app handoff: scan, e-mail, manual code and a new link on a desktop',
  async ({ another, server }) => {
    const visitor = await another(desktop);
    const link = await buy(visitor);
    const { page, email } = visitor;
    const picture = page.getByAltText('QR code that opens the app, signed in').first();
    expect(await picture.evaluate((img: HTMLImageElement) => [img.width, img.height])).toEqual([
      200, 200,
    ]);
    await visitor.checkAccessibility('success-desktop');
    await page.getByText('Other ways to open the app').click();
    const byHand = page.locator('x-island[name=app-handoff] span[dir=ltr]');
    await expect.poll(() => byHand.textContent()).toMatch(/^[A-Z\d]{4}-[A-Z\d]{4}$/);
    const typed = (await byHand.textContent()) ?? '';
    await visitor.checkAccessibility('success-other-ways');
    await visitor.tap('Email me the link');
    await visitor.sees('Check your inbox');
    const mailed = await emailedLink(server, email, '/d#');
    await visitor.tap('Get a new link');
    await expect.poll(() => linkOf(visitor)).not.toBe(link);
    await expect.poll(() => byHand.textContent()).not.toBe(typed);
    expect(await redeem(server, { code: codeIn(link) })).toBe(410);
    expect(await redeem(server, { code: codeIn(mailed) })).toBe(410);
    const code = (await byHand.textContent()) ?? '';
    expect(await redeem(server, { email, code: code.toLowerCase() })).toBe(200);
    expect(await redeem(server, { code: codeIn(await linkOf(visitor)) })).toBe(200);
  },
);

journey('app handoff: /d on an iPhone opens the app, then its store', async ({ another }) => {
  const store = stores.APP_STORE_URL;
  const visitor = await another(iPhone);
  await buy(visitor);
  await visitor.shoot('success on an iPhone');
  await visitor.button.click();
  await visitor.sees('Then come back to this page');
  expect(
    await visitor.page.getByRole('link', { name: /App Store|Google Play/ }).all(),
  ).toHaveLength(1);
  await visitor.checkAccessibility('d on an iPhone');
  // Routes do not intercept icons.
  const body = '<!doctype html><link rel="icon" href="data:,">the store';
  await visitor.page.route(`${store}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  );
  await visitor.tap('Open the app');
  await visitor.page.waitForURL(store);
  await visitor.sees('the store');
});

journey(
  'app handoff: a check that takes long has a way out after three seconds',
  async ({ visitor }) => {
    const link = await buy(visitor);
    const answer = await delayRequests(visitor, /deeplink\/check$/);
    await visitor.open(link);
    const mail = visitor.page.locator('#mail');
    await mail.waitFor({ state: 'attached' });
    expect(await mail.isVisible()).toBe(false);
    await mail.waitFor();
    await mail.click();
    await visitor.sees('Check your inbox.');
    answer();
  },
);

journey(
  'sign-in link: an address without a valid link sends a new one',
  async ({ visitor, server }) => {
    await startAtCheckout(visitor);
    await visitor.open('/m');
    await visitor.sees('This link is incomplete');
    await visitor.sees('Ask support');
    await visitor.open('/?');
    await visitor.open('/m#AAAAAAAAAAAAAAAAAAAAAA');
    await visitor.sees('We don’t recognize this link.');
    expect(await visitor.heading.textContent()).toBe('Get a new link');
    expect((await visitor.focus()).onHeading).toBe(true);
    await visitor.checkAccessibility('m-unknown');
    await visitor.page.locator('#email').fill(visitor.email);
    await visitor.tap('Email me a link');
    await visitor.sees('a link is on its way');
    await visitor.open(await emailedLink(server, visitor.email, '/m#'));
    await visitor.arriveAt('checkout_v3_tr');
  },
);
