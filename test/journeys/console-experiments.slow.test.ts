import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { newVisitor } from './new-visitor.ts';
import { journey as plain } from './run-journey.ts';
import { startServer } from './test-server.ts';
import { openConsole } from './walk-flow.ts';

const eachSecond = { ...pollTimeout, interval: 1000 };

/** A marketer of a server in Germany that caches documents in memory like a deployment. */
const journey = plain.extend('desk', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
  const server = await startServer({ vars: {}, country: 'DE' });
  const marketer = await newVisitor(browser, server, { viewport: { width: 1280, height: 900 } });
  onCleanup(async () => {
    await marketer.page.context().close();
    await server.close();
    marketer.check();
  });
  await openConsole(marketer, server);
  const landing = async (query: string) =>
    (
      await fetch(`${server.url}/one_pager${query}`, { headers: { 'accept-language': 'de' } })
    ).text();
  return { marketer, server, landing };
});

journey(
  'console: a marketer tests a German headline on Instagram traffic in Germany, and only this group sees it',
  async ({ desk: { marketer, server, landing }, browser }) => {
    const { page } = marketer;
    await marketer.tap('Experiments');
    await marketer.tap('New experiment');
    await marketer.shoot('experiment-form');
    await page.getByLabel('What do you expect?').fill('A question sells more');
    await page.locator('[name=countries]').first().selectOption('DE');
    await page.locator('[name=languages][value=de]').check();
    await page.locator('[value=instagram]').check();
    const words = page.getByLabel(/^New text, German/);
    await words.fill('Ist alles gut?');
    expect(
      await page
        .getByLabel(/^New text/)
        .filter({ visible: true })
        .count(),
    ).toBe(1);
    await page.getByLabel('Share of b, %').fill('100');
    await page.getByLabel('Share of control, %').fill('0');
    await marketer.checkAccessibility('experiment-filled');
    await marketer.tap('Review the experiment');
    await page.getByText('take part in “a-question-sells-more”').waitFor();
    await marketer.checkAccessibility('experiment-review');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { name: 'A question sells more' }).waitFor();
    await marketer.checkAccessibility('experiment-published');
    await marketer.tap('Preview each variant');
    await page.getByRole('heading', { name: 'Preview of a-question-sells-more' }).waitFor();
    await page
      .frameLocator('iframe')
      .first()
      .getByRole('heading', { name: 'Ist alles gut?' })
      .waitFor();
    await marketer.shoot('experiment-preview');

    const ad = '?utm_source=instagram';
    await expect.poll(() => landing(ad), eachSecond).toContain('Ist alles gut?');
    expect(await landing('?utm_source=google')).not.toContain('Ist alles gut?');
    for (const [query, isShown] of [
      [ad, true],
      ['', false],
    ] as const) {
      const visitor = await newVisitor(browser, server, { locale: 'de-DE' });
      await visitor.open(`/one_pager${query}`);
      expect((await visitor.title()) === 'Ist alles gut?').toBe(isShown);
      await visitor.page.context().close();
      visitor.check();
    }
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await page.getByRole('link', { name: 'a-question-sells-more' }).waitFor();
    await marketer.checkAccessibility('experiment-list');
  },
);
