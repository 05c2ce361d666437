import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../worker/canary/search.ts';
import { needlesOf } from '../worker/canary/secrets.ts';
import type { Visit } from './browser-session.ts';
import { outside } from './console-and-network-errors.ts';
import { requestBodies } from './delay-requests.ts';
import { canariesOf, watchRequests } from './personal-data-leaks.ts';
import { full, journey } from './run-journey.ts';
import { startAtSignup } from './walk-flow.ts';

const script = /accounts\.google\.com\/gsi\/client/;
const authorize = /authorize_social_via_access_token$/;

const own = ({ page }: Visit) => page.getByRole('button', { name: 'Continue with Google' });

/** Opens the account chooser once Google's button is ready. */
async function chooser({ page }: Visit): Promise<Page> {
  await page.locator('[data-google=preloaded]').waitFor();
  const opened = page.waitForEvent('popup');
  await page.frameLocator('[data-google] iframe').getByRole('button').click();
  return opened;
}

journey('google sign-in: signs up and reaches the checkout', async ({ visitor, server }) => {
  await server.forget('zoe@example.com');
  const sent = requestBodies(visitor, 'POST', authorize);
  const traces = watchRequests(visitor.page);
  await startAtSignup(visitor);
  expect(await own(visitor).evaluate((button) => button.getBoundingClientRect().width)).toBe(343);
  // The full run looks at dark mode too, for which Google's button is drawn anew.
  await visitor.checkAccessibility('signup-google');
  const popup = await chooser(visitor);
  await popup.getByText('Zoë Müller').click();
  await visitor.arriveAt('checkout_v3_tr');
  expect(sent.map((body) => JSON.parse(body).driver)).toEqual(['google']);
  const stored = await visitor.page.evaluate(() => ({ ...localStorage, ...sessionStorage }));
  expect(JSON.stringify(stored)).toContain('zoe@example.com');
  expect(stored.access_token).toBeTruthy();
  expect(visitor.page.url()).not.toMatch(/zoe|credential/);
  const credential = JSON.parse(sent[0] ?? '').access_token;
  const tokens = { 'access token': stored.access_token ?? '', credential, name: 'Zoë Müller' };
  for (const token of Object.values(tokens)) expect(token).toMatch(/^(ey|Zoë)/);
  expect(findings(traces, needlesOf(canariesOf('zoe@example.com', tokens)))).toEqual([]);
});

journey.runIf(full)(
  'google sign-in: a cancelled chooser and a refused account leave the screen, and e-mail works',
  async ({ visitor }) => {
    const sent = requestBodies(visitor, 'POST', authorize);
    await startAtSignup(visitor);
    await visitor.page.locator('#email').fill('half@typed');
    const popup = await chooser(visitor);
    await popup.getByRole('button', { name: 'Cancel' }).click();
    await (await chooser(visitor)).getByText('Without a credential').click();
    expect(await visitor.toast()).toMatch(/^Failed to create an account using Google/);
    expect(sent).toEqual([]);
    visitor.expects(authorize, 422);
    await (await chooser(visitor)).getByText('Without a verified e-mail').click();
    await visitor.sees('Google hasn’t verified this email. Please type it in instead.');
    expect(await visitor.page.locator('#email').inputValue()).toBe('half@typed');
    await visitor.giveEmail();
    await visitor.arriveAt('checkout_v3_tr');
  },
);

journey.runIf(full)(
  'google sign-in: an e-mail of another visitor is taken',
  async ({ visitor, another, server }) => {
    const email = 'Ada.Lovelace@example.com';
    await server.forget(email);
    const first = await another();
    await startAtSignup(first);
    await first.giveEmail(email);
    await first.arriveAt('checkout_v3_tr');
    await startAtSignup(visitor);
    visitor.expects(authorize, 422);
    const window = await chooser(visitor);
    await outside(visitor.page, async () => {
      await window.getByText('Ada Lovelace').click();
      await visitor.sees('The email has already been taken');
    });
    const field = visitor.page.locator('#email');
    await expect.poll(() => field.inputValue()).toBe(email.toLowerCase());
    await visitor.tap('Email me a sign-in link');
    await visitor.sees('Check your inbox');
  },
);

journey.runIf(full)('google sign-in: a failed script loads on retry', async ({ visitor }) => {
  visitor.expects(script, 'aborted');
  await visitor.page.route(script, (route) => route.abort(), { times: 1 });
  await startAtSignup(visitor);
  await visitor.page.locator('[data-google=unavailable]').waitFor();
  await own(visitor).click();
  expect(await visitor.toast()).toBe('Google Sign-In is not available. Please try again later.');
  await visitor.checkAccessibility('signup-google-unavailable');
  await (await chooser(visitor)).getByText('Without a name').click();
  await visitor.arriveAt('checkout_v3_tr');
});

journey.runIf(full)(
  'google sign-in: the script loads after the largest paint',
  async ({ visitor }) => {
    await visitor.open('/signup');
    await visitor.page.locator('[data-google=preloaded]').waitFor();
    const [largest, scriptStart] = await visitor.page.evaluate(async () => {
      const paints = await new Promise<PerformanceEntry[]>((done) => {
        new PerformanceObserver((list) => done(list.getEntries())).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      });
      const found = performance
        .getEntriesByType('resource')
        .find(({ name }) => name.endsWith('/gsi/client'));
      return [paints.at(-1)?.startTime, found?.startTime];
    });
    expect(scriptStart).toBeGreaterThan(largest ?? Number.NaN);
  },
);

journey(
  'google sign-in: an app’s own browser, which Google refuses, gets no button',
  async ({ another }) => {
    const inside = await another({
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    });
    await startAtSignup(inside);
    await inside.waitLive('google-button');
    await inside.sees('To continue with Google, open this page in your browser.');
    expect(await own(inside).count()).toBe(0);
    await inside.shoot('signup-in-app');
    await inside.giveEmail();
    await inside.arriveAt('checkout_v3_tr');
  },
);
