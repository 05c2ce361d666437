import { stayed } from '../runtime/navigation/stayed.ts';
import { reportError } from '../runtime/tracking/report-error.ts';

/**
 * Reports a bug, or a request that got no answer. A refusal is the parsed body of a response, which the Worker has logged.
 */
export function reportUnexpected(error: unknown): void {
  if (!(error instanceof Error)) return;
  void stayed().then(() => reportError('island_failed', { type: error.name }));
}
