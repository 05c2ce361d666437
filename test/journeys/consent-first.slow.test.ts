import { expect } from 'vitest';
import { networkVars } from '../../scripts/development-vars.ts';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { journey } from './run-journey.ts';
import { eventNamesOf, leaveAfter, tapsAwaitTracking } from './sent-events.ts';
import { sessionOnly } from './session-only.ts';
import { goToSignup, openApp, payAndFinish, phones } from './walk-flow.ts';

const inGermany = journey.override('country', 'DE').override('vars', networkVars);

/** The payment providers, the e-mail service, and Google once the visitor has chosen it. */
const needed = /^https:\/\/([\w-]+\.)*(stripe|resend|braintree-api|google)\.com\//;

const keysOf = ({ page }: Visit) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());

const stored = ({ page }: Visit) =>
  page.evaluate(() => localStorage.length + sessionStorage.length);

/** Names of persistent cookies and of session cookies. */
async function cookiesOf({ page }: Visit) {
  const cookies = await page.context().cookies();
  const named = (lasts: boolean) =>
    cookies.filter(({ expires }) => expires > 0 === lasts).map(({ name }) => name);
  return { lasting: named(true).sort(), short: named(false).sort() };
}

/** Records each upload of events. */
function watchEvents({ page }: Visit): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/events')) sent.push(request.postData() ?? '');
  });
  return sent;
}

const banner = ({ page }: Visit) => page.getByRole('region', { name: 'Cookies' });
const answer = (visit: Visit, name: 'No, thanks' | 'Yes, that’s fine') =>
  banner(visit).getByRole('button', { name });

/** The number of different styles of the two answers, and whether the main button is uncovered. */
const laidOut = ({ page }: Visit) =>
  page.evaluate(() => {
    const section = document.querySelector('section[tabindex="-1"]') as HTMLElement;
    const answers = [...section.querySelectorAll('button')].map((button) => {
      const { color, backgroundColor, borderColor, font } = getComputedStyle(button);
      const { width, height } = button.getBoundingClientRect();
      return [width, height, color, backgroundColor, borderColor, font].join();
    });
    const question = section.getBoundingClientRect();
    const button = document.querySelector('#continue-button')?.getBoundingClientRect();
    const above = button && button.bottom <= question.top;
    const beside = button && (button.right <= question.left || question.right <= button.left);
    return { answers: answers.length, looks: new Set(answers).size, free: above || beside };
  });

inGermany(
  'consent: nothing is stored or sent before a choice, and the flow works',
  async ({ visitor, server }) => {
    const sent = watchEvents(visitor);
    const before = server.sent.length;
    const requestedUrls: string[] = [];
    visitor.page.context().on('request', (request) => requestedUrls.push(request.url()));
    await visitor.open();
    await banner(visitor).waitFor();
    await visitor.enterPhone(phones.abroad);
    await visitor.arriveAt('searching');
    await visitor.sees('Number checked');
    await visitor.button.click();
    await visitor.arriveAt('signup');
    const field = visitor.page.locator('[name=email]');
    await field.fill('ada@example.org');
    await visitor.waitLive('email-form');
    await visitor.page.reload();
    await visitor.waitLive('email-form');
    await expect.poll(() => field.inputValue()).toBe('ada@example.org');
    const number = visitor.page.locator('[data-fill="map.phone"]').first();
    expect(await number.textContent()).toBe(phones.abroad);
    await field.fill('');
    // Google's script loads only on demand.
    await visitor.waitLive('google-button');
    expect(requestedUrls.filter((url) => url.includes('.google.com'))).toEqual([]);
    await visitor.tap('Continue with Google');
    await visitor.page.locator('[data-google=preloaded]').waitFor();
    await visitor.giveEmail();
    await visitor.arriveAt('checkout_v3_tr');
    await visitor.shoot('checkout-germany');
    await expect.poll(() => visitor.button.textContent()).toMatch(/^Buy now/);
    await payAndFinish(visitor);
    expect(server.gatewayCaptures(visitor.email)).toEqual([
      { plan: 'quarterly_eur', amount: 5999, currency: 'eur' },
    ]);
    expect(await keysOf(visitor)).toEqual(sessionOnly);
    // The answer with the purchases names the currency in which this buyer pays.
    await expect
      .poll(() => cookiesOf(visitor), pollTimeout)
      .toEqual({ lasting: [], short: ['currency', 'userUuid', 'visitorKey'] });
    await visitor.page.reload();
    await openApp(visitor);
    await visitor.open('/manage');
    await visitor.sees('3 months');
    await visitor.page.goto('about:blank');
    const urls = [...requestedUrls, ...server.sent.slice(before).map(({ url }) => url)];
    const known = (url: string) => url.startsWith(server.url) || needed.test(url);
    expect(urls.filter((url) => /^https?:/.test(url) && !known(url))).toEqual([]);
    expect(sent).toEqual([]);
    expect((await eventNamesOf(visitor, server))()).toEqual([]);
  },
);

inGermany(
  'consent: a refusal by keyboard lasts; the footer changes it',
  async ({ visitor, server }) => {
    const { page } = visitor;
    const sent = watchEvents(visitor);
    await visitor.open();
    await answer(visitor, 'No, thanks').waitFor();
    for (const [width, height] of [
      [350, 700],
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await laidOut(visitor)).toEqual({ answers: 2, looks: 1, free: true });
    }
    await visitor.checkAccessibility();
    await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true);
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    for (let presses = 0; presses < 40 && (await focused()) !== 'No, thanks'; presses += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await banner(visitor).waitFor({ state: 'detached' });
    expect(await cookiesOf(visitor)).toEqual({
      lasting: ['consent'],
      short: ['userUuid', 'visitorKey'],
    });
    await page.reload();
    await visitor.waitLive('consent-banner');
    expect(await banner(visitor).count()).toBe(0);
    expect([await stored(visitor), sent]).toEqual([0, []]);
    expect((await eventNamesOf(visitor, server))()).toEqual([]);

    const footer = page.getByRole('link', { name: 'Privacy choices' });
    await footer.focus();
    await page.keyboard.press('Enter');
    await banner(visitor).waitFor();
    await expect
      .poll(() => banner(visitor).evaluate((box) => document.activeElement === box))
      .toBe(true);
    await answer(visitor, 'Yes, that’s fine').click();
    await banner(visitor).waitFor({ state: 'detached' });
    expect(await focused()).toBe('Privacy choices');
    expect(await stored(visitor)).toBeGreaterThan(0);
    const allowed = ['arm', 'consent', 'landing', 'userUuid', 'visitorKey'];
    expect((await cookiesOf(visitor)).lasting).toEqual(expect.arrayContaining(allowed));

    // An expired consent has no effect from the next page on.
    await page.context().clearCookies({ name: 'consent' });
    await page.reload();
    await banner(visitor).waitFor();
    expect(await stored(visitor)).toBe(0);
    expect(await cookiesOf(visitor)).toEqual({
      lasting: [],
      short: ['userUuid', 'visitorKey'],
    });
    await answer(visitor, 'Yes, that’s fine').click();
    await banner(visitor).waitFor({ state: 'detached' });

    // A refusal deletes foreign storage.
    await page.evaluate(() => {
      for (const storage of [localStorage, sessionStorage]) storage.setItem('vendor', '1');
    });
    await page
      .context()
      .addCookies([{ name: '_vendor', value: '1', url: server.url, expires: 9e9 }]);
    await footer.click();
    await answer(visitor, 'No, thanks').click();
    await banner(visitor).waitFor({ state: 'detached' });
    // Where a network's script had loaded, the page reloads without it, and deletes what it stored meanwhile.
    await expect.poll(() => stored(visitor).catch(() => -1)).toBe(0);
    await expect
      .poll(() => cookiesOf(visitor))
      .toEqual({
        lasting: ['consent'],
        short: ['userUuid', 'visitorKey'],
      });
  },
);

inGermany('consent: acceptance sends buffered events once each', async ({ visitor, server }) => {
  await tapsAwaitTracking(visitor);
  await goToSignup(visitor);
  await answer(visitor, 'Yes, that’s fine').click();
  await banner(visitor).waitFor({ state: 'detached' });
  const eventNames = await eventNamesOf(visitor, server);
  await leaveAfter(visitor, server, 'signup__load', eventNames);
  const once = ['one_pager__load', 'searching__load', 'session_start', 'signup__load'];
  await expect
    .poll(() =>
      eventNames()
        .filter((name) => once.includes(name))
        .sort(),
    )
    .toEqual(once);
});
