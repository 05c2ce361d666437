import type { Site } from '../ops/admin-client.ts';
import type { Observed } from './rollout.ts';

/** Reads what the monitoring counted, by version. */
export const observeVersions = (site: Site) => (since: number) =>
  site.get<Observed>(`/versions?since=${since}`);
