import type { BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { delayRequests } from './delay-requests.ts';
import { emailedLink, openLinkAs } from './emailed-links.ts';
import { full, journey as plain } from './run-journey.ts';
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
const pixel = {
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
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

journey.runIf(full)(
  'app handoff: /d on a desktop shows the same QR code and both stores',
  async ({ another, visitor }) => {
    const link = await buy(visitor);
    const other = await another(desktop);
    await openLinkAs(other, link, visitor.email);
    await other.page.getByAltText('QR code that opens the app, signed in').waitFor();
    for (const href of [stores.APP_STORE_URL, stores.GOOGLE_PLAY_URL]) {
      expect(await other.page.locator(`a[href="${href}"]`).count()).toBe(1);
    }
    await other.checkAccessibility('d-desktop');
  },
);

const phones: [string, BrowserContextOptions, string][] = [
  ['an iPhone', iPhone, stores.APP_STORE_URL],
  ['an Android phone', pixel, stores.GOOGLE_PLAY_URL],
];

journey.runIf(full).for(phones)(
  'app handoff: /d on %s opens the app, then its store',
  async ([name, phone, store], { another }) => {
    const visitor = await another(phone);
    await buy(visitor);
    await visitor.shoot(`success on ${name}`);
    await visitor.button.click();
    await visitor.sees('Then come back to this page');
    expect(
      await visitor.page.getByRole('link', { name: /App Store|Google Play/ }).all(),
    ).toHaveLength(1);
    await visitor.checkAccessibility(`d on ${name}`);
    // Routes do not intercept icons.
    const body = '<!doctype html><link rel="icon" href="data:,">the store';
    await visitor.page.route(`${store}**`, (route) =>
      route.fulfill({ contentType: 'text/html', body }),
    );
    await visitor.tap('Open the app');
    await visitor.page.waitForURL(store);
    await visitor.sees('the store');
  },
);

journey.runIf(full)(
  'app handoff: a link used by this account, another account, or an unknown one',
  async ({ visitor, another, server }) => {
    const link = await buy(visitor);
    expect(await redeem(server, { code: codeIn(link) })).toBe(200);
    await visitor.open(link);
    await visitor.sees('You’ve already used this link. The app is signed in.');
    await visitor.checkAccessibility('d-used');

    const other = await another();
    await buy(other);
    await other.open(link);
    await other.sees('Another account has already used this link.');

    const stranger = await another();
    await stranger.open(link);
    await stranger.sees('This link has already been used.');
    await stranger.tap('Email me a new one');
    await stranger.sees('Check your inbox');
    await openLinkAs(stranger, await emailedLink(server, visitor.email, '/d#'), visitor.email);
    await stranger.page.getByAltText('QR code that opens the app, signed in').waitFor();

    await visitor.tap('Get a new link');
    await visitor.page.getByAltText('QR code that opens the app, signed in').waitFor();
    expect(new URL(visitor.page.url()).hash).not.toBe(`#${codeIn(link)}`);
  },
);

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

const unknownLinks = [
  ['sign-in link', '/m', 'Get a new link', 'This link is incomplete'],
  ['app handoff', '/d', 'Sign in to open the app', 'Tap it, then open the app'],
] as const;

journey.for(full ? unknownLinks : unknownLinks.slice(0, 1))(
  '%s: an address without a valid link sends a new one',
  async ([, path, title, lead], { visitor, server }) => {
    await startAtCheckout(visitor);
    await visitor.open(path);
    await visitor.sees(lead);
    await visitor.sees('Ask support');
    await visitor.open('/?');
    await visitor.open(`${path}#AAAAAAAAAAAAAAAAAAAAAA`);
    await visitor.sees('We don’t recognize this link.');
    expect(await visitor.heading.textContent()).toBe(title);
    expect((await visitor.focus()).onHeading).toBe(true);
    await visitor.checkAccessibility(`${path.slice(1)}-unknown`);
    await visitor.page.locator('#email').fill(visitor.email);
    await visitor.tap('Email me a link');
    await visitor.sees('a link is on its way');
    await visitor.open(await emailedLink(server, visitor.email, '/m#'));
    await visitor.arriveAt('checkout_v3_tr');
  },
);
