import { createServer } from 'node:http';
import { expect } from 'vitest';
import { listen } from '../local-port.ts';
import { pollTimeout } from '../poll-timeout.ts';
import { full, journey } from './run-journey.ts';
import { openConsole } from './walk-flow.ts';

const sections = [
  '',
  '/experiments',
  '/versions',
  '/flows',
  '/prices',
  '/prices/product',
  '/prices/product?id=monthly_7d',
  '/offers',
  '/documents',
  '/texts',
  '/money',
].concat(
  ['/people', '/operations', '/audit', '/preview', '/claims', '/texts/versions'],
  ['/step?screen=one_pager', '/flows/edit?name=default', '/claims/edit?kind=claims'],
  ['/texts/edit?key=screens.common.terms'],
);
const schemes = full ? (['light', 'dark'] as const) : (['light'] as const);
const widths = full ? [390, 768, 1280, 1920] : [390];

/** Runs in the page: elements wider than their container. Tables that are not cards scroll by themselves. */
function tooWide(): string[] {
  const { documentElement: root } = document;
  const page = root.scrollWidth === innerWidth ? [] : [`page: ${root.scrollWidth}`];
  const cards = [...document.querySelectorAll('.scroll:has(.stacks)')];
  const wide = cards.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  return [...page, ...wide.map(({ textContent }) => `card: ${textContent.slice(0, 40)}`)];
}

journey(
  'console: no page scrolls sideways, and a phone’s first screen has a figure',
  async ({ another, server }) => {
    const visit = await another({ viewport: { width: 390, height: 844 } });
    const { page } = visit;
    await openConsole(visit, server);
    const figure = await page.locator('.headline strong').boundingBox();
    expect((figure?.y ?? 844) + (figure?.height ?? 0)).toBeLessThan(300);
    const wide: string[] = [];
    for (const path of sections) {
      await visit.open(`/console${path}`);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          const found = await page.evaluate(tooWide);
          wide.push(...found.map((what) => `${path} at ${width}, ${colorScheme}: ${what}`));
        }
      }
    }
    expect(wide).toEqual([]);
  },
);

journey('console: a page that arrives in parts is painted whole', async ({ another, server }) => {
  const visit = await another({ viewport: { width: 1280, height: 900 } });
  const { page } = visit;
  await openConsole(visit, server);
  const read = async (path: string) => (await page.request.get(server.url + path)).text();
  const [html, style] = [await read('/console/operations'), await read('/console/style.css')];
  const cut = html.indexOf('</td>');
  expect(cut).toBeGreaterThan(0);
  const released = Promise.withResolvers<void>();
  const parts = createServer(async ({ url }, response) => {
    if (url?.endsWith('.js')) return response.setHeader('content-type', 'text/javascript').end();
    if (url !== '/') return response.setHeader('content-type', 'text/css').end(style);
    response.setHeader('content-type', 'text/html; charset=utf-8').write(html.slice(0, cut));
    await released.promise;
    return response.end(html.slice(cut));
  });
  const inParts = await listen(parts);
  await page.goto(`${inParts.url}/`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelector('td'), null, { polling: 20 });
  // Thirty painted frames of the page.
  await page.evaluate(async () => {
    for (let frames = 30; frames > 0; frames -= 1)
      await new Promise((done) => setTimeout(done, 16));
  });
  const paints = () => page.evaluate(() => performance.getEntriesByType('paint').length);
  expect(await paints()).toBe(0);
  released.resolve();
  await expect.poll(paints, pollTimeout).toBeGreaterThan(0);
  // The browser may still want the page's icon.
  await page.goto('about:blank');
  inParts.close();
});
