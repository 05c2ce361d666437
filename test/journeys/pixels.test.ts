import { expect } from 'vitest';
import { networkVars } from '../../scripts/development-vars.ts';
import { networkHosts } from '../fakes/networks/server.ts';
import { journey as plain } from './journey.ts';
import { cards, payWith } from './pay.ts';
import type { Visit } from './visit.ts';
import { openApp, phones } from './walk.ts';

const journey = plain.override('country', 'DE').override('vars', networkVars);

/** What the browser asks the networks for, each with the screen that it is on. */
function watchNetworks({ page }: Visit): string[] {
  const asked: string[] = [];
  page.context().on('request', (request) => {
    const { hostname } = new URL(request.url());
    if (networkHosts.includes(hostname)) asked.push(new URL(request.frame().url()).pathname);
  });
  return asked;
}

const cookiesOf = async ({ page }: Visit) =>
  (await page.context().cookies()).map(({ name }) => name).sort();

async function choose({ page }: Visit, answer: string): Promise<void> {
  await page.getByRole('button', { name: answer }).click();
  await page.getByRole('region', { name: 'Cookies' }).waitFor({ state: 'detached' });
}

/** From the landing page to the end. */
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

journey('of who rejects, no network hears', async ({ visitor, house }) => {
  const asked = watchNetworks(visitor);
  await visitor.open();
  await choose(visitor, 'No, thanks');
  await walkThrough(visitor);
  expect(house.fakes.networks.heard).toEqual([]);
  expect(asked).toEqual([]);
  expect(await cookiesOf(visitor)).toEqual(['consent', 'userUuid']);
});

journey('of who accepts, each network hears once', async ({ visitor, house }) => {
  const { page } = visitor;
  const before = house.fakes.networks.heard.length;
  const news = () => house.fakes.networks.heard.slice(before);
  const asked = watchNetworks(visitor);
  const query = '?fbclid=F1&gclid=G1';
  await visitor.open(`/${query}`);
  await choose(visitor, 'Yes, that’s fine');
  const late = ['_clck', '_fbc', '_fbp', '_ga', '_ttp', 'afUserId'];
  await expect
    .poll(() => cookiesOf(visitor), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(late));
  await walkThrough(visitor, query);
  for (let reloads = 0; reloads < 3; reloads += 1) {
    const scripts = [/fbevents/, /pixel\/events/, /gtag/].map((url) => page.waitForResponse(url));
    await Promise.all([...scripts, page.reload()]);
  }
  const told = () =>
    news()
      .map(({ by, network, name }) => `${by} ${network} ${name}`)
      .sort();
  await expect
    .poll(told, { timeout: 30_000 })
    .toEqual([
      'browser ads conversion',
      'browser google purchase_test',
      'browser meta Purchase_test',
      'browser tiktok CompletePayment_test',
      'server google purchase_test',
      'server meta Purchase_test',
      'server tiktok CompletePayment_test',
    ]);
  // One id for all: what the browser and the server tell of is one purchase to a network.
  expect(new Set(news().map(({ event }) => event)).size).toBe(1);
  // The documents of the pay screens ask for none.
  expect(new Set(asked)).toEqual(new Set(['/one_pager', '/success']));
  const said = news()
    .map(({ body }) => decodeURIComponent(body))
    .join();
  expect(said).toContain('39.99');
  expect(said).not.toContain(visitor.email);
  expect(said).not.toMatch(/212.?555.?0100|eyJ/);
});
