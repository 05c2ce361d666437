import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { waitForAnimations } from './console-and-network-errors.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const options = { iframes: false, resultTypes: ['violations'] };

/** The axe rules that depend on colours. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Axe violations as sentences. Axe is injected through the debugger, so that the page keeps its content security
 * policy.
 * @param rules all by default
 */
export async function findAccessibilityFaults(page: Page, rules?: string[]): Promise<string[]> {
  await waitForAnimations(page);
  const session = await page.context().newCDPSession(page);
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  const known = await evaluate('typeof axe === "object"');
  if (!known.result.value) await evaluate(`${axe};0`);
  const runOptions = JSON.stringify(rules ? { ...options, runOnly: rules } : options);
  const { result, exceptionDetails } = await evaluate(`axe.run(document, ${runOptions})`);
  await session.detach();
  if (exceptionDetails) return [`axe did not run: ${exceptionDetails.text}`];
  const { violations } = result.value as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
