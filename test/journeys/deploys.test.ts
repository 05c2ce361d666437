import { expect } from 'vitest';
import { journey } from './journey.ts';
import { cards, payWith } from './pay.ts';
import type { Visit } from './visit.ts';
import { openApp, phones } from './walk.ts';

/** Every second screen of the default flow. */
const deployed = ['/searching', '/checkout_v3_tr', '/success'];
const picker = /\/plan-picker\.[^/]+\.chunk\.js$/;

/** Answers those screens as of a build that has the same loader, and other code for its islands. */
async function deployBetween({ page }: Visit): Promise<void> {
  await page.addInitScript(() => {
    // Routes see what a link fetches ahead, and not what speculation rules do.
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
      // A screen fetched ahead may be wanted no more.
      await route.fulfill({ response, body }).catch(() => {});
    },
  );
}

/** Has the plans' code missing once, as soon as it is let go. */
async function removePicker({ page }: Visit): Promise<() => void> {
  let letGo = () => {};
  const until = new Promise<void>((done) => {
    letGo = done;
  });
  let tries = 0;
  await page.route(picker, async (route) => {
    tries += 1;
    if (tries > 1) return route.fallback();
    await until;
    return route.fulfill({ status: 404, body: 'gone' });
  });
  return letGo;
}

journey(
  'a deploy between any two screens: nothing is lost, paid once',
  async ({ visitor, house }) => {
    const { page } = visitor;
    const builds: string[] = [];
    const opening = () =>
      page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON() as unknown);
    const arrived = async (screen: string) => {
      await visitor.arriveAt(screen);
      expect(await opening()).toMatchObject({ name: `${house.url}/${screen}` });
      builds.push((await page.locator('html').getAttribute('data-build')) ?? '');
    };
    await deployBetween(visitor);
    visitor.expects(picker, 404);
    const letGo = await removePicker(visitor);

    await visitor.open('/one_pager');
    await arrived('one_pager');
    await visitor.enterPhone(phones.good);

    await arrived('searching');
    await visitor.sees('Number checked');
    await visitor.button.click();

    await arrived('signup');
    await visitor.giveEmail();

    await arrived('checkout_v3_tr');
    const plan = page.locator('[value=quarterly_usd]');
    await page.locator('label').filter({ has: plan }).click();
    letGo();
    await visitor.waitLive('plan-picker');
    expect(await opening()).toMatchObject({ type: 'reload' });
    expect(await plan.isChecked()).toBe(true);
    await payWith(visitor, cards.approved);

    await arrived('upsell_an_private');
    await visitor.tap('No thanks');

    await arrived('success');
    await openApp(visitor);

    const [ours = '', theirs = ''] = builds;
    expect(theirs).toBe(`next-${ours}`);
    expect(builds).toEqual([ours, theirs, ours, theirs, ours, theirs]);
    const paid = [{ plan: 'quarterly_usd', amount: 5999, currency: 'usd' }];
    expect(house.taken(visitor.email)).toEqual(paid);
    await expect.poll(() => house.booked(visitor.email)).toEqual(paid);
  },
);
