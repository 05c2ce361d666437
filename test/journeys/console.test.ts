import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { enter } from './new-visitor.ts';
import { journey } from './run-journey.ts';
import { startServer } from './test-server.ts';

journey(
  'console: a marketer publishes a split in words, new visitors get it, and an earlier version comes back',
  async ({ browser }) => {
    const server = await startServer({ vars: {}, country: 'US' });
    const marketer = await enter(browser, server, { viewport: { width: 1280, height: 900 } });
    const { page } = marketer;
    const flowOfNewcomer = async () => {
      const visit = await enter(browser, server, {});
      await visit.open('/one_pager');
      const flow = await visit.page.locator('main').getAttribute('data-flow');
      await visit.page.context().close();
      return flow;
    };
    const becomes = (flow: string) =>
      expect.poll(flowOfNewcomer, { ...pollTimeout, interval: 1000 }).toBe(flow);

    await marketer.open(await server.consoleLink());
    await marketer.tap('Open the console');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await marketer.readsWell();
    await marketer.tap('Experiments');
    await page.getByLabel('Name of new variant').fill('short');
    await page.getByLabel('Share of new variant in percent').fill('100');
    await page.getByLabel('Flow of new variant').selectOption('lp11ch8');
    await page.getByLabel('Share of fullPrice in percent').fill('0');
    await marketer.readsWell();
    await marketer.tap('Review the change');
    await marketer.sees("100 % of new visitors will see 'short' instead of 'fullPrice'.");
    await marketer.readsWell();
    await marketer.tap('Publish');
    await marketer.sees('Published version');
    await becomes('lp11ch8');

    await marketer.tap('Versions');
    await marketer.readsWell();
    await page
      .getByRole('row', { name: /built-in/ })
      .getByRole('button')
      .click();
    await marketer.tap('Publish');
    await marketer.sees('Published version');
    await becomes('default');

    await page.setViewportSize({ width: 390, height: 844 });
    await marketer.tap('Audit');
    expect(await page.getByRole('cell', { name: 'publish', exact: true }).count()).toBe(2);
    await marketer.readsWell();
    await marketer.open('/console/sign-in?code=used');
    marketer.expects(/console\/sign-in/, 403);
    await marketer.tap('Open the console');
    await marketer.sees('This link was used or is unknown.');
    await page.context().close();
    marketer.check();
    await server.close();
  },
);
