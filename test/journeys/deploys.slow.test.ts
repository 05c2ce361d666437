import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { cards, payWith } from './pay.ts';
import { full, journey } from './run-journey.ts';
import { openApp, phones } from './walk-flow.ts';

/** Alternating screens of the default flow, each with the chunk that is removed. */
const walks = [
  ['plan-picker', ['/searching', '/checkout_v3_tr', '/success']],
  ['email-form', ['/one_pager', '/signup', '/upsell_an_private']],
] as [island: string, deployed: string[]][];

/** Serves these screens as another build: the same loader, different island code. */
async function serveNextBuild({ page }: Visit, deployed: readonly string[]): Promise<void> {
  await page.addInitScript(() => {
    // Routes do not intercept speculation rules.
    HTMLScriptElement.supports = () => false;
  });
  await page.route(/-next\.chunk\.js$/, (route) =>
    route.continue({ url: route.request().url().replace('-next.', '.') }),
  );
  await page.route(
    ({ pathname }) => deployed.includes(pathname),
    async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const body = html
        .replace('data-build="', '$&next-')
        .replaceAll('.chunk.js', '-next.chunk.js');
      // A prefetched screen may no longer be needed.
      await route.fulfill({ response, body }).catch(() => {});
    },
  );
}

/** Fails a chunk once, as soon as it is released. */
async function remove(chunk: RegExp, { page }: Visit): Promise<() => void> {
  let release = () => {};
  const until = new Promise<void>((done) => {
    release = done;
  });
  let tries = 0;
  await page.route(chunk, async (route) => {
    tries += 1;
    if (tries > 1) return route.fallback();
    await until;
    return route.fulfill({ status: 404, body: 'gone' });
  });
  return release;
}

journey.for(full ? walks : walks.slice(0, 1))(
  'deploy between any two screens, without %s, in %s: nothing is lost, one charge',
  async ([island, deployed], { visitor, server }) => {
    const { page } = visitor;
    const chunk = new RegExp(`/${island}\\.[^/]+\\.chunk\\.js$`);
    const builds: [path: string, build: string][] = [];
    const opening = () =>
      page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON() as unknown);
    const expectScreen = async (screen: string) => {
      await visitor.arriveAt(screen);
      expect(await opening()).toMatchObject({ name: `${server.url}/${screen}` });
      builds.push([`/${screen}`, (await page.locator('html').getAttribute('data-build')) ?? '']);
    };
    await serveNextBuild(visitor, deployed);
    visitor.expects(chunk, 404);
    const release = await remove(chunk, visitor);
    const loseAndReload = async () => {
      release();
      await visitor.waitLive(island);
      expect(await opening()).toMatchObject({ type: 'reload' });
    };

    await visitor.open('/one_pager');
    await expectScreen('one_pager');
    await visitor.enterPhone(phones.good);

    await expectScreen('searching');
    await visitor.sees('Number checked');
    await visitor.button.click();

    await expectScreen('signup');
    const email = page.locator('#email');
    await email.fill(visitor.email);
    if (island === 'email-form') await loseAndReload();
    expect(await email.inputValue()).toBe(visitor.email);
    await visitor.button.click();

    await expectScreen('checkout_v3_tr');
    const plan = page.locator('[value=quarterly_usd]');
    await page.locator('label').filter({ has: plan }).click();
    if (island === 'plan-picker') await loseAndReload();
    expect(await plan.isChecked()).toBe(true);
    await payWith(visitor, cards.approved);

    await expectScreen('upsell_an_private');
    await visitor.tap('No thanks');

    await expectScreen('success');
    await openApp(visitor);

    const [ours = ''] = builds.flatMap(([path, build]) => (deployed.includes(path) ? [] : build));
    const theirs = `next-${ours}`;
    expect(builds.map(([, build]) => build)).toEqual(
      builds.map(([path]) => (deployed.includes(path) ? theirs : ours)),
    );
    const paid = [{ plan: 'quarterly_usd', amount: 5999, currency: 'usd' }];
    expect(server.gatewayCaptures(visitor.email)).toEqual(paid);
    await expect.poll(() => server.ledgerCaptures(visitor.email)).toEqual(paid);
  },
);
