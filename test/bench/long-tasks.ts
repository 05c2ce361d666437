import type { Protocol } from '../prerendering-browser.ts';

/** A task of the main thread, with the parts of its CPU time, ms. */
export interface Task {
  /** Ms of the browser's own clock. */
  from: number;
  to: number;
  ms: number;
  /** Ms by script and function, or by the browser's own work. */
  parts: Record<string, number>;
}

/** https://github.com/google/perfetto: an event of a trace; times in µs. */
export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** CPU time of the thread, which excludes other processes of a busy machine. */
  tdur?: number;
  args?: {
    name?: string;
    fileName?: string;
    data?: { url?: string; functionName?: string; type?: string };
  };
}

const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'];

/** The name of a script without its path, hash and extension. */
const nameOf = (url: string) => /([^/?#]+?)(\.[\w-]{7})?(\.chunk)?\.js/.exec(url)?.[1] ?? '';

/** The label of an event's time; an unlabelled event belongs to the event around it. */
function labelOf({ name, args }: TraceEvent, around: string): string {
  const script = nameOf(args?.data?.url ?? args?.fileName ?? '');
  if (script) return [script, args?.data?.functionName || name].join(' ');
  if (name === 'EventDispatch') return `${args?.data?.type} event`;
  return /^(v8\.callFunction|FunctionCall)$/.test(name) ? around : name;
}

/** A task's time outside all traced events, such as the start of a document. */
const other = 'the browser’s own';

/** Tasks of all pages' main threads over 50 ms. */
export function longTasksIn(events: readonly TraceEvent[]): Task[] {
  const keyOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const isMain = ({ name, args }: TraceEvent) =>
    name === 'thread_name' && args?.name === 'CrRendererMain';
  const mains = new Set(events.filter(isMain).map(keyOf));
  const timed = events
    .filter((event) => event.ph === 'X' && mains.has(keyOf(event)))
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks: Task[] = [];
  const open = new Map<string, { end: number; label: string; task: Task }[]>();
  for (const event of timed) {
    const { ts, dur = 0, tdur = 0 } = event;
    const stack = open.get(keyOf(event)) ?? [];
    open.set(keyOf(event), stack);
    while ((stack.at(-1)?.end ?? Infinity) <= ts) stack.pop();
    const around = stack.at(-1);
    if (!around && event.name !== 'RunTask') continue;
    const label = around ? labelOf(event, around.label) : other;
    const task = around?.task ?? {
      from: ts / 1000,
      to: (ts + dur) / 1000,
      ms: tdur / 1000,
      parts: {},
    };
    if (!around) tasks.push(task);
    const add = (name: string, ms: number) => {
      task.parts[name] = (task.parts[name] ?? 0) + ms;
    };
    add(label, tdur / 1000);
    if (around) add(around.label, -tdur / 1000);
    stack.push({ end: ts + dur, label, task });
  }
  return tasks.filter(({ ms }) => ms > 50);
}

/** @returns a function that stops, and resolves with the tasks over 50 ms since then */
export async function startTrace(browser: Protocol): Promise<() => Promise<Task[]>> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]));
  browser.on('Tracing.dataCollected', collect);
  await browser.send('Tracing.start', { traceConfig: { includedCategories: categories } });
  return async () => {
    await new Promise<void>((done) => {
      const complete = () => {
        browser.off('Tracing.tracingComplete', complete);
        done();
      };
      browser.on('Tracing.tracingComplete', complete);
      void browser.send('Tracing.end');
    });
    browser.off('Tracing.dataCollected', collect);
    return longTasksIn(events);
  };
}

export const longestOf = (tasks: readonly Task[]): number =>
  Math.max(0, ...tasks.map(({ ms }) => ms));

/** The longest task as text: `144 ms: react ut 90, Layout 40`. */
export function describeLongest(tasks: readonly Task[]): string {
  const [worst] = [...tasks].sort((a, b) => b.ms - a.ms);
  if (!worst) return '';
  const parts = Object.entries(worst.parts)
    .map(([name, ms]) => [name, Math.round(ms)] as const)
    .filter(([, ms]) => ms > 2)
    .sort(([, a], [, b]) => b - a);
  return `${Math.round(worst.ms)} ms: ${parts.map(([name, ms]) => `${name} ${ms}`).join(', ')}`;
}
