import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Import {
  from: string;
  to: string;
  /** Whether it imports types only. */
  type: boolean;
}

/** Relative imports of a file. */
export function importsOf(file: string): Import[] {
  const found = readFileSync(file, 'utf8').matchAll(
    /(?:import|export)\s+(type\s+)?([^'";]*?)(?:from\s+)?['"](\.[^'"]+)['"]/g,
  );
  return [...found].map(([, type, names = '', path = '']) => {
    const inner = /^\{([^}]*)\}\s*$/.exec(names.trim())?.[1];
    const onlyTypes = inner
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean)
      .every((name) => name.startsWith('type '));
    const to = relative('.', join(dirname(file), path));
    return { from: file, to, type: Boolean(type ?? onlyTypes) };
  });
}

/** Sets of files that import each other, directly or indirectly. */
export function cyclesOf(all: readonly Import[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of all) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reach = (start: string) => {
    const seen = new Set<string>();
    const open = [start];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      for (const to of next.get(file) ?? []) {
        if (!seen.has(to)) open.push(to);
        seen.add(to);
      }
    }
    return seen;
  };
  const reached = new Map([...next.keys()].map((file) => [file, reach(file)]));
  const cycles = [...reached].flatMap(([file, others]) =>
    others.has(file) ? [[...others].filter((other) => reached.get(other)?.has(file)).sort()] : [],
  );
  return [...new Map(cycles.map((cycle) => [cycle[0], cycle])).values()];
}
