import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import { newVisitor } from './new-visitor.ts';
import { journey as plain } from './run-journey.ts';
import { startServer } from './test-server.ts';
import { openConsole } from './walk-flow.ts';

const eachSecond = { ...pollTimeout, interval: 1000 };

/** A marketer in the console of a server that caches documents in memory like a deployment. */
const journey = plain.extend('desk', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
  const server = await startServer({ vars: {}, country: 'US' });
  const marketer = await newVisitor(browser, server, { viewport: { width: 1280, height: 900 } });
  onCleanup(async () => {
    await marketer.page.context().close();
    await server.close();
    marketer.check();
  });
  await openConsole(marketer, server);
  /** The landing page of a new visitor. */
  const newcomersPage = async () => (await fetch(`${server.url}/one_pager`)).text();
  return { marketer, newcomersPage };
});

/** Opens a section and waits for it. */
async function section(visit: Visit, name: string): Promise<void> {
  await visit.tap(name);
  await visit.page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
}

journey(
  'console: the arrow keys announce a chart’s values like the pointer',
  async ({ desk: { marketer } }) => {
    const { page } = marketer;
    const chart = page.getByRole('slider', { name: /^Visitors:/ });
    const reading = page.locator('.reading');
    const pointAt = async (share: number) => {
      const { x, y, width, height } = (await chart.boundingBox()) ?? expect.fail('no chart');
      await page.mouse.move(x + share * (width - 1), y + height / 2);
      return reading.textContent();
    };
    await chart.scrollIntoViewIfNeeded();
    const pointed = [await pointAt(0), await pointAt(1)];
    await page.mouse.move(0, 0);
    await reading.waitFor({ state: 'detached' });
    const pressed = [];
    for (const key of ['Home', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowRight']) {
      await chart.press(key);
      const text = await reading.textContent();
      expect(await chart.getAttribute('aria-valuetext')).toBe(text);
      pressed.push(text);
    }
    const [first, second, ...others] = pressed;
    expect(second).not.toBe(first);
    const last = pointed[1];
    expect([first, ...others]).toEqual([pointed[0], first, last, last]);
    await page.keyboard.press('Tab');
    await reading.waitFor({ state: 'detached' });
  },
);

journey(
  'console: a marketer publishes a split in words, new visitors get it, and an earlier version comes back',
  async ({ desk: { marketer, newcomersPage } }) => {
    const { page } = marketer;
    const becomes = (flow: string) =>
      expect.poll(newcomersPage, eachSecond).toContain(`data-flow="${flow}"`);

    await marketer.checkAccessibility();
    await marketer.tap('Experiments');
    await page.getByText('Test flows or offers with the split').click();
    await page.getByLabel('Name of new variant').fill('short');
    await page.getByLabel('Share of new variant in percent').fill('100');
    await page.getByLabel('Flow of new variant').selectOption('lp11ch8');
    const share = page.getByLabel('Share of fullPrice in percent');
    await page.getByLabel('Slider of new variant').fill('60');
    expect(await share.inputValue()).toBe('40');
    await page.getByLabel('Slider of new variant').fill('100');
    expect(await share.inputValue()).toBe('0');
    await marketer.checkAccessibility();
    await marketer.tap('Review the change');
    await marketer.sees('100% of new visitors will see “short” instead of “fullPrice”.');
    await marketer.checkAccessibility();
    const tab = page.context().waitForEvent('page');
    await marketer.tap('Preview in a new tab');
    const screens = await tab;
    await screens.getByRole('button', { name: 'Back to the review' }).click();
    await screens.getByText('100% of new visitors will see “short”').waitFor();
    await screens.close();
    await marketer.tap('Back');
    await page.getByLabel('Share of short in percent').waitFor();
    expect(await page.getByLabel('Share of short in percent').inputValue()).toBe('100');
    await page.getByLabel('Share of short in percent').fill('60');
    await page.getByLabel('Share of fullPrice in percent').fill('50');
    await marketer.sees('Total 110%, must be 100%');
    await page.getByLabel('Share of short in percent').fill('100');
    await page.getByLabel('Share of fullPrice in percent').fill('0');
    await page.getByLabel('Share of fullPrice in percent').press('Tab');
    await marketer.sees('Total 100%');
    await marketer.tap('Review the change');
    await page.getByLabel('Reason').fill('a test');
    await marketer.tap('Publish');
    await marketer.sees('Published version');
    await becomes('lp11ch8');

    await marketer.tap('Versions');
    await page.getByRole('heading', { name: 'Versions', exact: true }).waitFor();
    await marketer.checkAccessibility();
    await page
      .getByRole('row', { name: /Built-in/ })
      .getByRole('button')
      .click();
    await page.getByLabel('Reason').fill('a test');
    await marketer.tap('Publish');
    await marketer.sees('Published version');
    await becomes('default');

    await section(marketer, 'Audit');
    const published = page.locator('.log summary').getByText('Publish', { exact: true });
    await expect.poll(() => published.count()).toBe(2);
  },
);

journey(
  'console: a marketer previews, drags a screen, and publishes a text that new visitors read',
  async ({ desk: { marketer, newcomersPage } }) => {
    const { page } = marketer;
    await marketer.open('/console/preview');
    const frame = page.frameLocator('iframe[title="one_pager of fullPrice"]');
    await frame.getByRole('heading', { name: 'Know they’re OK.' }).waitFor();
    await marketer.checkAccessibility();
    await frame.getByRole('heading', { name: 'Know they’re OK.' }).click();
    const english = page.getByLabel('English', { exact: false }).first();
    await english.press('End');
    await english.pressSequentially(' {{thing}}');
    await marketer.sees('Not known here: {{thing}}');

    await marketer.open('/console/flows/edit?name=default');
    const rows = page.locator('.order li');
    await rows.nth(1).dragTo(rows.nth(0), { targetPosition: { x: 60, y: 4 } });
    await expect.poll(() => rows.first().textContent()).toContain('searching');
    await marketer.tap('Review the change');
    await marketer.sees('100% of new visitors get the changed flow “default”.');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { name: 'Flow default' }).waitFor();
    expect(await rows.first().textContent()).toContain('searching');

    await marketer.open('/console/preview');
    await page.getByLabel('Language').selectOption('de');
    await expect.poll(() => new URL(page.url()).search, eachSecond).toContain('lng=de');

    await marketer.tap('Texts');
    await page.getByRole('link', { name: 'Landing page', exact: true }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Know they’re OK.' }).waitFor();
    await marketer.checkAccessibility();
    await page.getByLabel('Breadcrumb').getByRole('link', { name: 'Texts' }).click();
    await page.getByLabel('Words on the page').fill("know they're ok");
    await page.getByRole('button', { name: 'Find' }).click();
    const found = page.getByRole('link', { name: 'Know they’re OK.', exact: true }).first();
    await found.waitFor();
    await marketer.checkAccessibility();
    await found.click();
    await page.getByLabel('English', { exact: false }).first().fill('Ask where they are.');
    await marketer.checkAccessibility();
    await marketer.tap('Review the change');
    await marketer.sees('13 translations become outdated');
    const changed = page
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Ask where they are.' });
    const outline = () => changed.evaluate(({ style }) => style.outlineStyle);
    await expect.poll(outline, eachSecond).toBe('solid');
    await marketer.checkAccessibility();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect
      .poll(() => page.getByLabel('English').first().inputValue(), eachSecond)
      .toBe('Ask where they are.');
    await marketer.tap('Review the change');
    await page.getByLabel('Reason').fill('a test');
    await marketer.tap('Publish');
    await marketer.sees('Published. Visitors see the change within about a minute.');
    await expect.poll(newcomersPage, eachSecond).toMatch(/<h1[^>]*>(<[^>]*>)*Ask where they are\./);

    await page.setViewportSize({ width: 390, height: 844 });
    for (const name of ['Flows', 'Offers']) {
      await section(marketer, name);
      await marketer.checkAccessibility();
    }
    await section(marketer, 'Audit');
    // The newest is first.
    await page.locator('.log summary').first().click();
    await marketer.sees(/en\.json/);
    await marketer.checkAccessibility();
    await marketer.open('/console/sign-in?code=used');
    marketer.expects(/console\/sign-in/, 403);
    await marketer.tap('Open the console');
    await marketer.sees('This link is unknown or was already used.');
  },
);
