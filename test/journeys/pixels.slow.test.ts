import { expect } from 'vitest';
import { networkVars } from '../../scripts/development-vars.ts';
import { networkHosts } from '../fakes/networks/server.ts';
import { pollTimeout } from '../poll-timeout.ts';
import { findings } from '../worker/canary/search.ts';
import { needlesOf } from '../worker/canary/secrets.ts';
import type { Visit } from './browser-session.ts';
import { cards, payWith } from './pay.ts';
import { canariesOf, watchRequests } from './personal-data-leaks.ts';
import { journey as plain } from './run-journey.ts';
import { sessionOnly } from './session-only.ts';
import { openApp, phones } from './walk-flow.ts';

const journey = plain.override('country', 'DE').override('vars', networkVars);

/** Records requests to ad networks, each with the current screen. */
function watchNetworks({ page }: Visit): string[] {
  const requested: string[] = [];
  page.context().on('request', (request) => {
    const { hostname } = new URL(request.url());
    if (networkHosts.includes(hostname)) requested.push(new URL(request.frame().url()).pathname);
  });
  return requested;
}

const purchase = [{ plan: 'quarterly_eur', amount: 5999, currency: 'eur' }];

const cookiesOf = async ({ page }: Visit) =>
  (await page.context().cookies()).map(({ name }) => name).sort();

async function choose({ page }: Visit, answer: string): Promise<void> {
  await page.getByRole('button', { name: answer }).click();
  await page.getByRole('region', { name: 'Cookies' }).waitFor({ state: 'detached' });
}

async function walkThrough(visit: Visit, query = ''): Promise<void> {
  await visit.enterPhone(phones.abroad);
  await visit.arriveAt('searching', query);
  await visit.sees('Number checked');
  await visit.button.click();
  await visit.arriveAt('signup', query);
  await visit.giveEmail();
  await visit.arriveAt('checkout_v3_tr', query);
  await payWith(visit, cards.approved);
  await visit.arriveAt('upsell_an_private', query);
  await visit.tap('No thanks');
  await visit.arriveAt('success', query);
  await openApp(visit);
}

/** The payment providers and the e-mail service. */
const needed = /^https:\/\/([\w-]+\.)*(stripe|resend|braintree-api)\.com\//;

journey('pixels: without consent no network receives data', async ({ visitor, server }) => {
  const { page } = visitor;
  const before = server.sent.length;
  const requested: string[] = [];
  page.context().on('request', (request) => requested.push(request.url()));
  await visitor.open();
  await choose(visitor, 'No, thanks');
  await walkThrough(visitor);
  const known = (url: string) => url.startsWith(server.url) || needed.test(url);
  expect(requested.filter((url) => /^https?:/.test(url) && !known(url))).toEqual([]);
  expect(requested.filter((url) => url.endsWith('/api/v1/events'))).toEqual([]);
  const sent = server.sent.slice(before).map(({ url }) => url);
  expect(sent.filter((url) => !needed.test(url))).toEqual([]);
  // The answer with the purchases names the currency in which this buyer pays.
  const cookies = ['consent', 'currency', 'userUuid', 'visitorKey'];
  await expect.poll(() => cookiesOf(visitor), pollTimeout).toEqual(cookies);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(await page.evaluate(() => Object.keys(sessionStorage).sort())).toEqual(sessionOnly);
  await page.reload();
  await openApp(visitor);
  expect(server.gatewayCaptures(visitor.email)).toEqual(purchase);
});

/** Number of reloads of the last page. */
const reloads = 3;

/** Third-party scripts that did not wait until the page had settled. */
const tapQuickly = ({ page }: Visit) =>
  page.evaluate(() => {
    const [{ domComplete }] = performance.getEntriesByType('navigation') as [
      PerformanceNavigationTiming,
    ];
    return performance
      .getEntriesByType('resource')
      .filter(({ name }) => /fbevents|gtag|clarity|\/later\./.test(name))
      .filter(({ startTime }) => domComplete === 0 || startTime < domComplete)
      .map(({ name }) => name);
  });

journey(
  'pixels: with consent each network receives each purchase once',
  async ({ visitor, server }) => {
    const { page } = visitor;
    const before = server.fakes.networks.received.length;
    const newEvents = () => server.fakes.networks.received.slice(before);
    const requested = watchNetworks(visitor);
    const traces = watchRequests(page);
    const query = '?fbclid=F1&gclid=G1';
    await visitor.open(`/?email=${encodeURIComponent(visitor.email)}&${query.slice(1)}`);
    await choose(visitor, 'Yes, that’s fine');
    const late = ['_clck', '_fbc', '_fbp', '_ga', '_ttp', 'afUserId'];
    await expect
      .poll(() => cookiesOf(visitor), { timeout: 20_000 })
      .toEqual(expect.arrayContaining(late));
    // Personal data has left the URL before third-party scripts can read it.
    expect(page.url()).toBe(`${server.url}/one_pager${query}`);
    await walkThrough(visitor, query);
    for (let done = 0; done < reloads; done += 1) {
      const scripts = [/fbevents/, /pixel\/events/, /gtag/].map((url) => page.waitForResponse(url));
      await Promise.all([...scripts, page.reload()]);
    }
    expect(await tapQuickly(visitor)).toEqual([]);
    const eventNames = () =>
      newEvents()
        .map(({ by, network, name }) => `${by} ${network} ${name}`)
        .sort();
    await expect
      .poll(eventNames, { timeout: 30_000 })
      .toEqual([
        'browser ads conversion',
        'browser google purchase_test',
        'browser meta Purchase_test',
        'browser tiktok CompletePayment_test',
        'server google purchase_test',
        'server meta Purchase_test',
        'server tiktok CompletePayment_test',
      ]);
    // Browser and server report the purchase with the same id.
    expect(new Set(newEvents().map(({ event }) => event)).size).toBe(1);
    // Payment documents load no network script.
    expect(new Set(requested)).toEqual(new Set(['/one_pager', '/success']));
    expect(server.gatewayCaptures(visitor.email)).toEqual(purchase);
    const events = newEvents()
      .map(({ body }) => decodeURIComponent(body))
      .join();
    expect(events).toContain('59.99');
    const known = events + server.lines.join();
    expect(known).not.toContain(visitor.email);
    expect(known).not.toMatch(/212.?555.?0100|eyJ/);
    const token = await page.evaluate(() => sessionStorage.getItem('access_token') ?? '');
    expect(token).toMatch(/^ey/);
    const given = canariesOf(visitor.email, { 'access token': token });
    expect(findings(traces, needlesOf(given))).toEqual([
      'sent to api.stripe.com body: card',
      // The landing URL.
      'sent to us url: email',
    ]);
  },
);
