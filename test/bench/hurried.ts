import { isLanding, screenIds } from '../../worker/experiments/rules/flows.ts';
import { PrerenderingBrowser } from '../prerendering-browser.ts';
import { edgeCompression, trustedKey } from './compression-proxy.ts';
import { atMost, type Figure } from './figures.ts';
import { HurriedVisit } from './hurried-visit.ts';
import { describeLongest, longestOf, startTrace, type Task } from './long-tasks.ts';
import { baselinePath, openBenchSite, stepsAfterLanding } from './static-baseline.ts';
import { median } from './statistics.ts';
import { missing } from './typing.ts';

const number = '2125550100';
const button = '#continue-button';
/** One step, ms. */
interface Step {
  /** From the tap to its effect. */
  answered: number;
  /** From the start of the document to the focus of its first field. */
  focused?: number;
  /** Typed characters that were lost. */
  lost: number;
  /** Taps without effect. */
  ignored: number;
  tasks: Task[];
}

type Steps = Record<string, Step>;

/** Walks a flow to its end; on the baseline Pay needs no card. */
async function walk(
  browser: PrerenderingBrowser,
  origin: string,
  landing: string,
  email: string,
  baseline: boolean,
) {
  const path = baseline ? baselinePath(landing) : `/${landing}`;
  const stop = await startTrace(browser.protocol);
  let traced: Task[] | undefined;
  const visit = await HurriedVisit.begin(browser, origin + path);
  const steps: Steps = {};
  const spans: Record<string, [from: number, to: number]> = {};
  /** Its tasks are those between its screen's first paint and the tap's effect. */
  const note = (name: string, since: number, tapped: number, answered: number, ignored = 0) => {
    steps[name] = { answered: answered - tapped, lost: 0, ignored, tasks: [] };
    spans[name] = [since - visit.offset, answered - visit.offset];
  };
  try {
    const [searching, signup, checkout, upsell, success] = stepsAfterLanding;
    const phone = await visit.type('#phone', number, button);
    const locate = await visit.tap(button, searching, phone.after);
    const { at, opened } = phone.focused;
    note(landing, opened, locate.tapped, locate.painted, locate.ignored);

    const onward = await visit.tap(button, signup);
    note(searching, locate.painted, onward.tapped, onward.painted, onward.ignored);

    const typed = await visit.type('#email', email, button);
    const given = await visit.tap(button, checkout, typed.after);
    note(signup, onward.painted, given.tapped, given.painted, given.ignored);

    const pay = baseline ? undefined : await visit.typeCard(button);
    const paid = await visit.tap(button, upsell, pay);
    const { tapped, painted, busy = painted } = paid;
    note('pay', given.painted, tapped, baseline ? painted : busy, paid.ignored);
    note('result', tapped, baseline ? tapped : visit.answeredAt('/polling/get-result'), painted);

    const skipped = await visit.tap(`main a[href$="/${success}"]`, success);
    note(upsell, painted, skipped.tapped, skipped.painted, skipped.ignored);
    Object.assign(steps[landing] as Step, { focused: at - opened });
    if (!baseline) {
      const sentPhone = JSON.parse(visit.sentTo('/phone-number-info')).phone as string;
      const address = JSON.parse(visit.sentTo('/signup')).email as string;
      Object.assign(steps[landing] as Step, { lost: missing(number, sentPhone) });
      Object.assign(steps[signup] as Step, { lost: missing(email, address) });
    }
    traced = await stop();
    for (const [name, [since, until]] of Object.entries(spans))
      steps[name]?.tasks.push(...traced.filter(({ from, to }) => to > since && from < until));
    return { steps, toSignup: visit.paintedAt(signup) - opened };
  } finally {
    if (!traced) await stop();
    await visit.close();
  }
}

type Walked = Awaited<ReturnType<typeof walk>>;

interface Rounds {
  ours: Walked[];
  baseline: Walked[];
  /** Walks that did not reach the end. */
  failed: number;
}

async function rounds(
  browser: PrerenderingBrowser,
  origin: string,
  landing: string,
  count: number,
) {
  const all: Rounds = { ours: [], baseline: [], failed: 0 };
  for (let round = 0; round < count; ) {
    const email = `hurried-${landing.replaceAll('_', '-')}-${round}-${all.failed}@example.com`;
    try {
      const walks: Walked[] = [];
      // The first one in a round has colder caches, so the order alternates.
      const order = round % 2 === 0 ? [true, false] : [false, true];
      for (const baseline of order)
        walks.push(await walk(browser, origin, landing, email, baseline));
      if (!order[0]) walks.reverse();
      all.baseline.push(walks[0] as Walked);
      all.ours.push(walks[1] as Walked);
      round++;
    } catch (error) {
      all.failed += 1;
      console.error(`${landing}: ${error instanceof Error ? error.message : error}`);
      if (all.failed > count) throw error;
    }
  }
  return all;
}

interface Row {
  'answered, ms': number;
  'static, ms': number;
  ratio: number;
  'longest task, ms': number;
  'static’s longest': number;
  /** Only on screens that begin with a field. */
  'focused, ms': number | undefined;
  'static focused': number | undefined;
  lost: number;
  ignored: number;
  met: string;
}

const middle = (values: readonly number[]) => Math.round(median(values));
const worst = (values: readonly number[]) => Math.max(...values);

function rowsOf(landing: string, { ours, baseline }: Rounds) {
  const figures: Figure[] = [];
  const rows: Record<string, Row> = {};
  const mostBlocking: Record<string, string> = {};
  for (const name of Object.keys(ours[0]?.steps ?? {})) {
    const steps = ours.map((each) => each.steps[name] as Step);
    const baselines = baseline.map((each) => each.steps[name] as Step);
    const title = name === landing ? name : `${landing}: ${name}`;
    const ratio = median(
      steps.map(({ answered }, at) => answered / (baselines[at]?.answered ?? 0)),
    );
    const longest = median(steps.map(({ tasks }) => longestOf(tasks)));
    const lost = worst(steps.map((step) => step.lost));
    const ignored = worst(steps.map((step) => step.ignored));
    const mine = [
      atMost(`${title}: answered, of the static page change`, ratio, 0.3),
      atMost(`${title}: longest task, ms`, longest, 50),
      atMost(`${title}: characters lost`, lost, 0),
      atMost(`${title}: taps ignored`, ignored, 0),
    ];
    figures.push(...mine);
    rows[title] = {
      'answered, ms': middle(steps.map(({ answered }) => answered)),
      'static, ms': middle(baselines.map(({ answered }) => answered)),
      ratio: Math.round(ratio * 100) / 100,
      'longest task, ms': Math.round(longest),
      'static’s longest': middle(baselines.map(({ tasks }) => longestOf(tasks))),
      'focused, ms': middle(steps.map(({ focused }) => focused ?? Number.NaN)) || undefined,
      'static focused': middle(baselines.map(({ focused }) => focused ?? Number.NaN)) || undefined,
      lost,
      ignored,
      met: mine.map(({ met }) => (met ? '✓' : '×')).join(''),
    };
    const [slowest] = steps.sort((a, b) => longestOf(b.tasks) - longestOf(a.tasks));
    if (slowest?.tasks.length) mostBlocking[title] = describeLongest(slowest.tasks);
  }
  return { figures, rows, longest: mostBlocking };
}

/** Walks every landing's flow, or that of one landing, in a hurry, and the same steps on static pages. */
export async function benchHurried(count: number, only?: string) {
  const site = await openBenchSite({}, edgeCompression);
  const browser = await PrerenderingBrowser.open([trustedKey]);
  const figures: Figure[] = [];
  const steps: Record<string, Row> = {};
  const longestTasks: Record<string, string> = {};
  const toSignup: Record<string, { ms: number; static: number; failed: number }> = {};
  try {
    for (const landing of screenIds.filter(isLanding).filter((id) => id === (only ?? id))) {
      await site.lead(landing);
      const all = await rounds(browser, site.origin, landing, count);
      const tableRows = rowsOf(landing, all);
      figures.push(...tableRows.figures, atMost(`${landing}: walks that failed`, all.failed, 0));
      Object.assign(steps, tableRows.rows);
      Object.assign(longestTasks, tableRows.longest);
      toSignup[landing] = {
        ms: middle(all.ours.map((each) => each.toSignup)),
        static: middle(all.baseline.map((each) => each.toSignup)),
        failed: all.failed,
      };
    }
  } finally {
    await browser.close();
    await site.close();
  }
  console.table(steps);
  console.table(toSignup);
  for (const [step, task] of Object.entries(longestTasks)) console.log(`${step}: ${task}`);
  const missed = figures.filter(({ met }) => !met).length;
  console.log(`\n${figures.length - missed} targets ✓, ${missed} targets ×`);
  return { rounds: count, figures, steps, toSignup, longestTasks };
}
