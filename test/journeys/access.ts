import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { stillness } from './watch.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const run = 'axe.run(document, { iframes: false, resultTypes: ["violations"] })';

/**
 * What axe finds on a page, each as a sentence. It comes in through the debugger, so that the page
 * keeps its content security policy.
 */
export async function barriers(page: Page): Promise<string[]> {
  await stillness(page);
  const session = await page.context().newCDPSession(page);
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `${axe};${run}`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails) return [`axe did not run: ${exceptionDetails.text}`];
  const { violations } = result.value as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
