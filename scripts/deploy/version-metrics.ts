import type { Site } from '../ops/admin-client.ts';
import type { Figures } from './compare-versions.ts';
import type { Observed } from './rollout.ts';

type Tally = Partial<Record<string, number>>;

const steps = ['visit', 'signup', 'checkout', 'pay', 'purchase'];
const vitals = ['lcp', 'inp', 'cls'];

/** Each step as a share of the previous step. */
function figuresOf(tally: Tally): Figures {
  const share = (part: string, whole: string) => {
    const trials = tally[whole] ?? 0;
    return { successes: Math.min(tally[part] ?? 0, trials), trials };
  };
  const pairs = steps.slice(1).map((step, at) => [step, share(step, steps[at] ?? '')] as const);
  return {
    errors: share('failed', 'served'),
    vitals: Object.fromEntries(vitals.map((vital) => [vital, share(`${vital}|slow`, vital)])),
    steps: Object.fromEntries(pairs),
  };
}

/** Reads the counts of each version from the monitoring. */
export const observeVersions =
  (site: Site) =>
  async (since: number): Promise<Observed> => {
    type State = { byVersion: Record<string, Tally> };
    const { byVersion } = await site.get<State>(`/monitoring?since=${since}`);
    const figures = Object.entries(byVersion).map(([id, tally]) => [id, figuresOf(tally)]);
    return { figures: Object.fromEntries(figures) };
  };
