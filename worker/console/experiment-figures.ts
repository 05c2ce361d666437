import type { D1Database } from '@cloudflare/workers-types';
import type { ConfigTexts } from '../experiments/config-versions.ts';
import { experimentFacts } from '../experiments/results-table.ts';
import { amountText } from './figure-text.ts';
import { countsOf } from './overview-table.ts';
import { estimatesOf } from './rules/estimates.ts';
import { formOf } from './rules/experiment-form.ts';
import { figuresOf } from './rules/overview.ts';
import { periodOf, timesOf } from './rules/period.ts';
import { resultsOf, verdictOf } from './rules/results.ts';

const whole = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });

/** Without rollups the form is shown without results. */
export async function resultRows(analytics: D1Database, texts: ConfigTexts) {
  const { experiment, variants } = formOf(texts);
  if (!/^[\w-]{1,64}$/.test(experiment)) return { results: [], isMismatched: false };
  try {
    const facts = await experimentFacts(analytics, experiment);
    const { variants: rows, isMismatched } = resultsOf(variants, facts);
    const results = rows.map(({ arm, visitors, signUps, purchases, revenue, lift }, at) => ({
      variant: arm,
      cells: [
        ...[visitors, signUps, purchases].map((count) => whole.format(count)),
        visitors > 0 ? percent.format(purchases / visitors) : '–',
        Object.entries(revenue)
          .map(([currency, minor]) => amountText(minor, currency))
          .join(', ') || '–',
      ],
      verdict: at === 0 ? '' : verdictOf(lift),
    }));
    return { results, isMismatched };
  } catch {
    return { results: [], isMismatched: false };
  }
}

/** Without rollups a change can be published all the same. */
export async function estimateLines(analytics: D1Database, next: ConfigTexts): Promise<string[]> {
  try {
    const week = periodOf({ period: '7d' }, Date.now());
    const [visitors, , purchases] = figuresOf(
      await countsOf(analytics, week, {}),
      { steps: [], payments: [] },
      timesOf(week),
    );
    const traffic = { visitors: visitors?.value ?? 0, purchases: purchases?.value ?? 0 };
    return estimatesOf(formOf(next).variants, traffic);
  } catch {
    return [];
  }
}
