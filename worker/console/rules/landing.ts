/** The first screen of each flow. @returns null for an unknown flow */
const landingOf = (flow: string, flows: ReadonlyMap<string, readonly string[]>) =>
  flows.get(flow)?.[0] ?? null;

/** The landings with possible arrivals, sorted. @param seen flows that have visits */
export const landingsOf = (
  seen: readonly string[],
  flows: ReadonlyMap<string, readonly string[]>,
): string[] => [...new Set(seen.flatMap((flow) => landingOf(flow, flows) ?? []))].sort();

export const flowsFrom = (
  landing: string,
  flows: ReadonlyMap<string, readonly string[]>,
): string[] => [...flows].flatMap(([name, [first]]) => (first === landing ? [name] : []));
