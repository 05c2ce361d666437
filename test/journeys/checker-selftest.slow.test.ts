import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { errorsOf, openContext, waitForAnimations } from './console-and-network-errors.ts';
import { journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';

/** A visitor whose faults are expected. */
const journey = plain.extend('stranger', async ({ browser, server }, { onCleanup }) => {
  const { context, seen } = await openContext(browser, server.fakes);
  onCleanup(() => context.close());
  return { page: await context.newPage(), faults: () => errorsOf(seen).join('\n') };
});

const skimmer = 'https://foreign.example/skim.js';
type Headers = Record<string, string>;

/** Serves a screen with changed HTML, by default with a foreign script. */
async function plant(
  page: Visit['page'],
  screen: string,
  headersOf: (sent: Headers) => Headers,
  [before, after] = ['</body>', `<script src="${skimmer}"></script></body>`],
) {
  await page.route(`**/${screen}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(before, after);
    await route.fulfill({ response, headers: headersOf(response.headers()), body });
  });
}

/** Browsers batch `report-to` reports, but send `report-uri` reports at once. */
const reportAtOnce = ({ 'content-security-policy': policy = '', ...others }: Headers) => ({
  ...others,
  'content-security-policy': policy.replace('; report-to default', ''),
});
const reports = ({ lines }: TestServer, since: number) =>
  lines
    .slice(since)
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'browser_report_received');

journey(
  'self-test: a foreign script on a payment page is blocked, reported and a fault',
  async ({ stranger, server }) => {
    const { page, faults } = stranger;
    const since = server.lines.length;
    await plant(page, 'checkout_v3_tr', reportAtOnce);
    await page.goto(`${server.url}/checkout_v3_tr`);
    await expect
      .poll(() => reports(server, since))
      .toEqual([
        expect.objectContaining({
          type: 'csp-violation',
          directive: 'script-src-elem',
          vendor: 'foreign.example',
          screen: 'checkout_v3_tr',
          state: 'enforce',
        }),
      ]);
    await expect.poll(faults).toMatch(/console: .*foreign\.example/);
    expect(faults()).not.toContain('requested the unexpected address');
  },
);

journey(
  'self-test: a foreign script is found without our policy, too',
  async ({ stranger, server }) => {
    const { page, faults } = stranger;
    await plant(page, 'checkout_v3_tr', ({ 'content-security-policy': _, ...others }) => others);
    await page.goto(`${server.url}/checkout_v3_tr`);
    await expect
      .poll(faults)
      .toContain(`a script that the inventory does not have for payment pages: ${skimmer}`);
  },
);

journey(
  'self-test: an island whose HTML differs from its component’s is a fault',
  async ({ stranger, server }) => {
    const { page, faults } = stranger;
    const field: [string, string] = ['<input', '<hr/><input'];
    await plant(page, 'signup', (sent) => sent, field);
    await page.goto(`${server.url}/signup`);
    await expect.poll(faults).toContain('the HTML of email-form differs from its component’s');
  },
);

journey(
  'self-test: text becomes neither script nor HTML on an ordinary screen',
  async ({ stranger, server }) => {
    const { page } = stranger;
    await page.goto(`${server.url}/signup`);
    await page.locator('x-island[live]').first().waitFor({ state: 'attached' });
    const tried = await page.evaluate((foreign) => {
      const errorOf = (attempt: () => void) => {
        try {
          attempt();
          return 'done';
        } catch (error) {
          return (error as Error).name;
        }
      };
      const script = () => document.createElement('script');
      return {
        html: errorOf(() => {
          document.body.innerHTML = '<img src=x onerror=alert(1)>';
        }),
        parsed: errorOf(() => new DOMParser().parseFromString('<p>', 'text/html')),
        text: errorOf(() => {
          script().text = 'alert(1)';
        }),
        foreign: errorOf(() => {
          script().src = foreign;
        }),
        own: errorOf(() => {
          script().src = '/static/js/own.js';
        }),
        known: errorOf(() => {
          script().src = 'https://accounts.google.com/gsi/client';
        }),
        policy: errorOf(() => {
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

journey(
  'self-test: a visible animation is waited for, one in a closed section is not',
  async ({ stranger }) => {
    const { page } = stranger;
    await page.setContent('<details><p>closed</p></details><p>shown</p>');
    await page.locator('p').evaluateAll((all) => {
      for (const one of all) {
        Object.assign(one.style, { color: 'red', transition: 'color 300ms' });
        // Transitions start from a known style; a closed section has none until it is asked for.
        getComputedStyle(one).color;
        one.style.color = 'blue';
        getComputedStyle(one).color;
      }
    });
    const running = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .map(({ effect }) => (effect as KeyframeEffect).target?.textContent),
      );
    expect(await running()).toEqual(['closed', 'shown']);
    await waitForAnimations(page);
    expect(await running()).not.toContain('shown');
  },
);
