/** Modules that keep something for as long as an isolate lives; `shape.test.ts` finds one that is missing. */
export const stateful = [
  'accounts/google-sign-in-api',
  'analytics/browser-reports',
  'analytics/exposure',
  'console/parts/access',
  'content/asset-file',
  'content/translations',
  'content/translations-middleware',
  'experiments/assignment',
  'experiments/frozen-base',
  'experiments/live-config',
  'http/security-headers',
  'monitoring/monitoring-api',
  'payments/gateways/braintree/client-token-cache',
  'phone-lookup/data-shards',
  'rendering/country-facts',
  'rendering/page-css',
  'rendering/serve-page',
];

interface ModuleNode {
  promise: unknown;
  exports: unknown;
  evaluated: boolean;
  importers: Set<string>;
}

declare const __vitest_worker__: { evaluatedModules: { idToModuleMap: Map<string, ModuleNode> } };

/**
 * Has modules with state and whatever imports them evaluated again: the named ones, or all of them and the tests' own. The
 * others stay, because evaluating them takes longer than most files' tests.
 */
export function resetState(...paths: string[]): void {
  const { idToModuleMap } = __vitest_worker__.evaluatedModules;
  const ends = (paths.length > 0 ? paths : stateful).map((path) => `/worker/${path}.ts`);
  const isDue = (id: string) =>
    ends.some((end) => id.endsWith(end)) || (paths.length === 0 && id.includes('/test/'));
  const open = [...idToModuleMap.keys()].filter(isDue);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = idToModuleMap.get(id);
    if (!node) continue;
    open.push(...node.importers);
    Object.assign(node, { promise: undefined, exports: undefined, evaluated: false });
    node.importers.clear();
  }
}
