import type { Report } from './hurried-page.ts';

/** A task over 50 ms, and what ran in it. */
export interface Task {
  ms: number;
  /** Ms by script and function, or by the browser's own work. */
  parts: Record<string, number>;
}

/** The name of a script without its path, hash and ending. */
const nameOf = (url: string) =>
  /([^/?#]+?)(\.[\w-]{8})?(\.chunk)?\.js/.exec(url)?.[1] ?? (url ? new URL(url).pathname : '');

/** The tasks over 50 ms between two moments, with what the browser says of them. */
export function tasksOf(reports: readonly Report[], since: number, until: number): Task[] {
  const frames = reports.filter((report) => report.kind === 'frame');
  const tasks = reports.filter((report) => report.kind === 'task');
  return tasks
    .filter(({ at, ms }) => at + ms > since && at < until)
    .map(({ at, ms, where }) => {
      const parts: Record<string, number> = {};
      let left = ms;
      const within = (name: string, start: number, length: number) => {
        const spent = Math.round(Math.min(at + ms, start + length) - Math.max(at, start));
        if (spent <= 1) return;
        parts[name] = (parts[name] ?? 0) + spent;
        left -= spent;
      };
      for (const { scripts, rendering } of frames) {
        for (const script of scripts) {
          const { sourceURL, sourceFunctionName: name, invoker } = script;
          const layout = Math.round(script.forcedStyleAndLayoutDuration);
          const forced = layout > 1 ? `(${layout} of it forced layout)` : '';
          const called = invoker === sourceURL ? 'evaluated' : invoker;
          const what = [nameOf(sourceURL), name, called, forced].filter(Boolean).join(' ');
          within(what, script.startTime, script.duration);
        }
        within('style, layout and paint', rendering.at, rendering.ms);
      }
      if (left > 1)
        parts[where === 'self' ? 'parsing and other' : `other (${where})`] = Math.round(left);
      return { ms, parts };
    });
}

export const longestOf = (tasks: readonly Task[]): number =>
  Math.max(0, ...tasks.map(({ ms }) => ms));

/** The longest task in words: `144 ms: react hydrateRoot 90, outside of scripts 54`. */
export function blamed(tasks: readonly Task[]): string {
  const [worst] = [...tasks].sort((a, b) => b.ms - a.ms);
  if (!worst) return '';
  const parts = Object.entries(worst.parts)
    .filter(([, ms]) => ms > 0)
    .sort(([, a], [, b]) => b - a);
  return `${Math.round(worst.ms)} ms: ${parts.map(([name, ms]) => `${name} ${ms}`).join(', ')}`;
}
