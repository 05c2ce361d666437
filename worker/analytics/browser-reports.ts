import type { Context } from 'hono';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { reportGuard } from '../http/request-guard.ts';
import { Throttle } from './log-throttle.ts';
import { type BrowserReport, fieldsOf, parseReports } from './merge-browser-reports.ts';

const largest = 32 * 1024;
/** One page's reports must not fill the log. */
const mostLines = 10;
const types = ['application/csp-report', 'application/reports+json', 'application/json'];

/** What an isolate logs of reports in a minute: whoever sends more has them dropped. */
const throttle = new Throttle(60, 60_000);

function log(c: Context<App>, report: BrowserReport): void {
  const looks = report.type === 'csp-violation' || report.type === 'crash';
  c.var.log(looks ? 'warn' : 'info', 'browser_report', fieldsOf(report));
}

/** The body, parsed. @throws Refusal `malformed_body` for broken JSON */
async function told(c: Context<App>): Promise<unknown> {
  const body = await c.req.arrayBuffer();
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new Refusal('malformed_body');
  }
}

/**
 * `POST /api/v1/reports`: what browsers refused by our policies, and crashes, deprecations and
 * interventions. It knows no visitor, and what it logs is in `browser-reports.ts`.
 */
export const receiveBrowserReports = createHandlers(reportGuard(largest, types), async (c) => {
  const sent = parseReports(await told(c)).slice(0, mostLines);
  const taken = sent.filter(() => throttle.allows(Date.now()));
  for (const report of taken) log(c, report);
  return c.body(null, taken.length < sent.length ? 429 : 204);
});
