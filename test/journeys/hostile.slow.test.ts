import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { placeholdersOf } from '../../locales/format/placeholders.ts';
import { screenIds } from '../../worker/experiments/rules/flows.ts';
import { textsOf } from '../locales/flat-texts.ts';
import { hostileValues } from '../worker/hostile/hostile-values.ts';
import { openContext } from './console-and-network-errors.ts';
import { full, journey as plain } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { waitUntilStable } from './wait-until-stable.ts';

const operator = '</script><script>alert(1)</script>" onmouseover="alert(1)';

const journey = plain
  .override('vars', { COMPANY_NAME: operator, COMPANY_ADDRESS: operator })
  .extend('hostile', async ({ browser, server }, { onCleanup }) => {
    const viewport = { width: 390, height: 844 };
    const { context, seen } = await openContext(browser, server.fakes, { viewport });
    const { faults, expected } = seen;
    onCleanup(() => context.close());
    // Every sixth address is unknown.
    expected.push({ url: /nowhere/, answer: 404 });
    // No visitor opens so many pages a minute.
    expected.push({ url: /\/api\/v1\/events$/, answer: 429 });
    const page = await context.newPage();
    page.on('dialog', async (dialog) => {
      faults.push(`a dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    return { page, faults };
  });

const values = [...hostileValues];
const valueAt = (index: number) => values[index % values.length] ?? '';
const names =
  'utm_source utm_medium utm_campaign utm_term utm_content fbclid gclid ttclid skip_split appDomain custom_lng theme next';

/** All texts, each replaced by one of the hostile values. */
function hostileTexts(): Record<string, string> {
  const models = ['screens', 'islands', 'errors'].flatMap((file) =>
    [...textsOf('en', `${file}.json`)].map(([key, text]) => [`${file}.${key}`, text] as const),
  );
  return Object.fromEntries(
    models.map(([key, text], index) => [key, [valueAt(index), ...placeholdersOf(text)].join(' ')]),
  );
}

const claimAt = (index: number) => ({
  text: valueAt(index).slice(0, 100),
  source: valueAt(index + 1).slice(0, 100),
  language: 'en',
});
const facts = {
  claims: [Array.from({ length: 10 }, (_, index) => claimAt(index * 7))],
  reviews: [
    Array.from({ length: 12 }, (_, index) => ({
      ...claimAt(index * 9),
      name: valueAt(index).slice(0, 50),
    })),
  ],
};

/** Opens a screen with a hostile value in every parameter. */
async function load(page: Page, server: TestServer, screen: string, value: string): Promise<void> {
  const query = new URLSearchParams(names.split(' ').map((name) => [name, value]));
  await page.goto(`${server.url}/${screen}?${query}#${encodeURIComponent(value)}`);
  await waitUntilStable(page);
  // Triggers handlers of possibly injected markup.
  await page.evaluate(() => document.querySelector('main')?.dispatchEvent(new Event('mouseover')));
  expect(new URL(page.url()).origin).toBe(server.url);
}

/** Resolves when pages show the published texts and operator data. */
async function waitUntilPublished(page: Page, server: TestServer): Promise<void> {
  const read = async (path: string) => {
    await page.goto(`${server.url}/${path}`);
    return (await page.locator('main').textContent()) ?? '';
  };
  // A text that could be markup is refused, so that not every one appears.
  const long = values.filter(({ length }) => length > 12);
  await expect
    .poll(async () => ({
      operator: (await read('imprint')).includes(operator),
      facts: (await read('one_pager_l2')).includes(claimAt(0).text),
      texts: await read('questions').then((main) => long.some((value) => main.includes(value))),
    }))
    .toEqual({ operator: true, facts: true, texts: true });
}

const count = full ? values.length : 6;
const step = values.length / count;

journey(
  'security: hostile texts, parameters and operator data run nothing in a browser',
  { timeout: 1_800_000 },
  async ({ server, hostile: { page, faults } }) => {
    await server.publish(hostileTexts(), facts);
    await waitUntilPublished(page, server);
    for (let index = 0; index < count; index += 1) {
      const screen = screenIds[(index * 5) % screenIds.length] ?? '';
      const path = index % 6 === 5 ? `nowhere${encodeURIComponent(valueAt(index))}` : screen;
      await load(page, server, path, valueAt(Math.floor(index * step)));
    }
    expect(faults).toEqual([]);
  },
);
