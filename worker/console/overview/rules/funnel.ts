import { screenIds } from '../../../experiments/rules/flows.ts';
import type { ScreenRow } from './overview.ts';

/** Screens that replace each other in the flows of different variants are one step. */
const steps = [
  ['Landing page', /^one_pager/],
  ['Questions', /^questions/],
  ['Number check', /^searching/],
  ['Sign-up', /signup/],
  ['Features', /^features/],
  ['Checkout', /^(checkout|paycheck)/],
  ['Extra: anonymous mode', /^upsell_an/],
  ['Extra: guide', /^upsell_guide/],
  ['Success', /^success/],
] as const;

/** Visitors may decline an extra and still go on, and the last step leads nowhere. */
const endless = /^(Extra|Success)/;

const stepOf = (screen: string): string | undefined =>
  steps.find(([, screens]) => screens.test(screen))?.[0];

/** The steps of the first flow in its order; those of the others follow what precedes them in their flow. */
function orderOf(flows: readonly (readonly string[])[]): string[] {
  const order: string[] = [];
  for (const flow of [...flows, screenIds]) {
    let at = 0;
    for (const step of flow.flatMap((screen) => stepOf(screen) ?? [])) {
      const known = order.indexOf(step);
      if (known === -1) order.splice(at, 0, step);
      at = (known === -1 ? at : known) + 1;
    }
  }
  return order;
}

interface Passed {
  arrived: number;
  continued: number;
}

/** A screen, or all screens of a step. */
export interface FunnelRow extends Passed {
  /** A screen's id, or a step's name. */
  id: string;
  /** Null for a step of several screens, or if no visitor continued. */
  seconds: number | null;
  /** The period before; null without arrivals. */
  before: Passed | null;
  /** Whether visitors who do not continue are lost. */
  loses: boolean;
}

interface FunnelStep extends FunnelRow {
  /** The step with the lowest share of visitors who continue. */
  isWorst: boolean;
  /** Its screens, the most visited first; none if it is a single screen. */
  screens: FunnelRow[];
}

/** With fewer arrivals a rate is too uncertain to be called the worst. */
const minArrivals = 30;

const shareOf = ({ arrived, continued }: Passed): number => Math.min(1, continued / arrived);

const total = (rows: readonly Passed[]): Passed => ({
  arrived: rows.reduce((sum, { arrived }) => sum + arrived, 0),
  continued: rows.reduce((sum, { continued }) => sum + continued, 0),
});

/** @param flows of the visitors, the most visited first @returns the steps in their order, and screens outside of them */
export function funnelOf(
  rows: readonly ScreenRow[],
  before: readonly ScreenRow[],
  flows: readonly (readonly string[])[],
): { steps: FunnelStep[]; others: ScreenRow[] } {
  const earlier = (isOwn: (screen: string) => boolean) => {
    const sum = total(before.filter(({ screen }) => isOwn(screen)));
    return sum.arrived > 0 ? sum : null;
  };
  const found = orderOf(flows).flatMap((step): Omit<FunnelStep, 'isWorst'>[] => {
    const isOwn = ({ screen }: ScreenRow) => stepOf(screen) === step;
    const seen = rows.filter(isOwn);
    const [first] = seen;
    if (!first) return [];
    const former = before.filter(
      (row) => isOwn(row) && !seen.some(({ screen }) => screen === row.screen),
    );
    // Where screens are listed, one without visits now explains the figures before.
    const own = [
      ...seen,
      ...(seen.length > 1 ? former : []).map(({ screen }) => ({
        screen,
        arrived: 0,
        continued: 0,
        seconds: null,
      })),
    ];
    const loses = !endless.test(step);
    const screens = own.map((row) => ({
      ...{ id: row.screen, seconds: row.seconds, loses },
      ...total([row]),
      before: earlier((screen) => screen === row.screen),
    }));
    const all = { ...total(own), loses, before: earlier((screen) => stepOf(screen) === step) };
    return own.length === 1
      ? screens.map((row) => ({ ...row, screens: [] }))
      : [{ ...all, id: step, seconds: null, screens }];
  });
  const compared = found.filter(({ loses, arrived }) => loses && arrived >= minArrivals);
  const lowest = Math.min(...compared.map(shareOf));
  return {
    steps: found.map((row) => ({
      ...row,
      isWorst: compared.length > 1 && compared.includes(row) && shareOf(row) === lowest,
    })),
    others: rows.filter(({ screen }) => stepOf(screen) === undefined),
  };
}
