import { createHandlers } from '../http/handlers.ts';
import { parseJson } from '../http/json-body.ts';
import { reportGuard } from '../http/request-guard.ts';

const maxBytes = 32 * 1024;
const mediaTypes = ['application/csp-report', 'application/reports+json', 'application/json'];

/** `POST /api/v1/reports`. It reads and sets no cookie. */
export const receiveBrowserReports = createHandlers(
  reportGuard(maxBytes, mediaTypes),
  async (c) => {
    const body = await parseJson(c, mediaTypes);
    const { logReports } = await import('./browser-reports.ts');
    return c.body(null, logReports(body, c.var.log) ? 204 : 429);
  },
);
