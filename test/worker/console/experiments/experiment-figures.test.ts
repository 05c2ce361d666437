import type { D1Database } from '@cloudflare/workers-types';
import { expect, test, vi } from 'vitest';
import {
  estimateLines,
  resultsView,
} from '../../../../worker/console/experiments/experiment-figures.ts';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';

const broken = {
  prepare: () => {
    throw new RangeError();
  },
  withSession: () => broken,
} as unknown as D1Database;

test('results: figures that cannot be computed are missing on the page and logged', async () => {
  const log = vi.fn();
  const shown = { experiment: 'paywall', variants: [], reporting: null, end: null };
  expect(await resultsView(broken, shown, log)).toBeNull();
  expect(await estimateLines(broken, builtInDocuments, log)).toEqual([]);
  const reason = 'RangeError';
  expect(log.mock.calls).toEqual([
    ['error', 'results_failed', { name: 'paywall', reason }],
    ['error', 'results_failed', { reason }],
  ]);
});
