import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { allFlows } from '../../experiments/rules/flows.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { percentText, wholeText } from '../parts/figure-text.ts';
import { screenName } from '../parts/rules/screen-names.ts';
import { sharePoints, soldIn } from './overview-figures.ts';
import type { PeriodCounts } from './overview-table.ts';
import type { FunnelRow, funnelOf } from './rules/funnel.ts';
import type { VariantFigures } from './rules/overview.ts';
import type { Share } from './rules/share-change.ts';
import type { FunnelRowProps, FunnelStepProps } from './screens/funnel.tsx';
import type { OverviewProps } from './screens/overview.tsx';
import type { ArmLanding } from './slice-table.ts';

interface Passing {
  now: Share;
  before: Share | null;
}

/** Of the last step nothing is shown, and of an extra who bought it, because who declines it also goes on. */
function passingOf(
  row: FunnelRow,
  { now, before }: { now: PeriodCounts; before: PeriodCounts },
): Passing | null {
  if (row.id === 'success') return null;
  const [, extra] = /(anonymous|upsell_an|guide)/.exec(row.id) ?? [];
  if (row.loses || !extra) {
    const share = ({ arrived, continued }: { arrived: number; continued: number }) => ({
      part: Math.min(continued, arrived),
      of: arrived,
    });
    return { now: share(row), before: row.before && share(row.before) };
  }
  const slot = extra === 'guide' ? 'guide' : 'upsell';
  return {
    now: { part: soldIn(now.payments, slot), of: row.arrived },
    before: row.before && { part: soldIn(before.payments, slot), of: row.before.arrived },
  };
}

const shareText = (share: Share | null | undefined) =>
  share && share.of > 0 ? percentText(share.part, share.of) : '';

interface View {
  counts: { now: PeriodCounts; before: PeriodCounts };
  query: Record<string, string>;
  most: number;
}

function rowView(row: FunnelRow, { counts, query, most }: View): FunnelRowProps {
  const name = screenName(row.id);
  const isScreen = name !== row.id;
  const passing = passingOf(row, counts);
  return {
    name,
    id: isScreen ? row.id : '',
    href: isScreen ? `/console/step?${new URLSearchParams({ ...query, screen: row.id })}` : '',
    arrived: wholeText(row.arrived),
    width: most > 0 ? (100 * row.arrived) / most : 0,
    passed: passing !== null && !row.loses ? 'Accepted' : 'Continued',
    continued: shareText(passing?.now),
    before: shareText(passing?.before),
    lost: row.loses && row.arrived > 0 ? wholeText(Math.max(0, row.arrived - row.continued)) : '',
    change: passing ? sharePoints(passing.now, passing.before) : { text: '', kind: 'same' },
    seconds: row.seconds === null ? '' : `${row.seconds.toFixed(1)} s`,
  };
}

/** The flows that visitors got, those of the most visited variants first. */
export function flowsSeen(
  c: Context<App>,
  documents: Documents,
  arms: readonly ArmLanding[],
  variants: readonly VariantFigures[],
): (readonly string[])[] {
  const production = isProduction(c.env);
  const { set } = validateDocuments(documents, { production });
  const all = allFlows(set?.flows ?? { flows: {} }, production);
  const names = variants.flatMap(({ variant }) =>
    arms.flatMap((arm) => (arm.variant === variant ? arm.flow : [])),
  );
  return [...new Set(names)].flatMap((name) => [all.get(name) ?? []]);
}

export function funnelView(
  { steps, others }: ReturnType<typeof funnelOf>,
  counts: View['counts'],
  query: Record<string, string>,
): OverviewProps['funnel'] {
  const view = { counts, query, most: Math.max(0, ...steps.map(({ arrived }) => arrived)) };
  return {
    steps: steps.map(
      (step): FunnelStepProps => ({
        ...rowView(step, view),
        isWorst: step.isWorst,
        screens: step.screens.map((row) => rowView(row, view)),
      }),
    ),
    others: others.map(({ screen, arrived }) => ({
      name: screenName(screen),
      href: `/console/step?${new URLSearchParams({ ...query, screen })}`,
      arrived: wholeText(arrived),
    })),
  };
}
