import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { faultsOf, watch } from './console-and-network-errors.ts';
import { journey as plain } from './run-journey.ts';
import type { House } from './test-server.ts';

/** Sees the faults of a visit that is about them. */
const journey = plain.extend('stranger', async ({ browser, house }, { onCleanup }) => {
  const context = await browser.newContext();
  onCleanup(() => context.close());
  const seen = await watch(context, house.fakes);
  return { page: await context.newPage(), faults: () => faultsOf(seen).join('\n') };
});

const skimmer = 'https://foreign.example/skim.js';
type Headers = Record<string, string>;

/** Serves a screen with somebody else’s script in its HTML. */
async function plant(page: Visit['page'], screen: string, headersOf: (sent: Headers) => Headers) {
  await page.route(`**/${screen}`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      '</body>',
      `<script src="${skimmer}"></script></body>`,
    );
    await route.fulfill({ response: answer, headers: headersOf(answer.headers()), body });
  });
}

/** Browsers gather what goes by `report-to`; what goes by `report-uri` they send at once. */
const atOnce = ({ 'content-security-policy': policy = '', ...others }: Headers) => ({
  ...others,
  'content-security-policy': policy.replace('; report-to default', ''),
});
const reports = ({ lines }: House, since: number) =>
  lines
    .slice(since)
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'browser_report');

journey(
  'a foreign script beside the card is blocked, reported and a fault',
  async ({ stranger, house }) => {
    const { page, faults } = stranger;
    const since = house.lines.length;
    await plant(page, 'checkout_v3_tr', atOnce);
    await page.goto(`${house.url}/checkout_v3_tr`);
    await expect
      .poll(() => reports(house, since))
      .toEqual([
        expect.objectContaining({
          type: 'csp-violation',
          key: 'script-src-elem',
          vendor: 'foreign.example',
          screen: 'checkout_v3_tr',
          state: 'enforce',
        }),
      ]);
    await expect.poll(faults).toMatch(/console: .*foreign\.example/);
    expect(faults()).not.toContain('asked the unexpected address');
  },
);

journey(
  'without our policy the watch of each visit still finds it',
  async ({ stranger, house }) => {
    const { page, faults } = stranger;
    await plant(page, 'checkout_v3_tr', ({ 'content-security-policy': _, ...others }) => others);
    await page.goto(`${house.url}/checkout_v3_tr`);
    await expect
      .poll(faults)
      .toContain(`a script that the inventory does not have for payment pages: ${skimmer}`);
  },
);

journey(
  'text becomes neither script nor HTML on an ordinary screen',
  async ({ stranger, house }) => {
    const { page } = stranger;
    await page.goto(`${house.url}/signup`);
    await page.locator('x-island[live]').first().waitFor({ state: 'attached' });
    const tried = await page.evaluate((foreign) => {
      const said = (attempt: () => void) => {
        try {
          attempt();
          return 'done';
        } catch (error) {
          return (error as Error).name;
        }
      };
      const script = () => document.createElement('script');
      return {
        html: said(() => {
          document.body.innerHTML = '<img src=x onerror=alert(1)>';
        }),
        parsed: said(() => new DOMParser().parseFromString('<p>', 'text/html')),
        text: said(() => {
          script().text = 'alert(1)';
        }),
        foreign: said(() => {
          script().src = foreign;
        }),
        own: said(() => {
          script().src = '/static/js/own.js';
        }),
        known: said(() => {
          script().src = 'https://accounts.google.com/gsi/client';
        }),
        policy: said(() => {
          const { trustedTypes } = window as unknown as {
            trustedTypes: { createPolicy(name: string, rules: object): void };
          };
          trustedTypes.createPolicy('planted', {});
        }),
      };
    }, skimmer);
    const no = 'TypeError';
    const refused = { html: no, parsed: no, text: no, foreign: no, policy: no };
    expect(tried).toEqual({ ...refused, own: 'done', known: 'done' });
  },
);
