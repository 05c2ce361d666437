import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import {
  coveredDays,
  type PlanFamily,
  type PlanView,
} from '../../../../worker/catalog/rules/plans.ts';
import { preselectOffer, withPreselection } from '../../../../worker/catalog/rules/preselection.ts';
import { viewOf } from '../../../renewal-placeholders.ts';

const main = builtInCatalog.families.filter(
  (family) => builtInCatalog.planOf(family, 'USD').slot === 'main',
);
const views = (families: readonly PlanFamily[]) =>
  families.map((family) => viewOf(builtInCatalog.planOf(family, 'USD')));
const badges = (families: readonly PlanFamily[], wanted?: PlanFamily) => {
  const withBadges = withPreselection(views(families), wanted);
  return {
    best: withBadges.filter(({ bestValue }) => bestValue).map(({ family }) => family),
    chosen: withBadges.filter(({ preselected }) => preselected).map(({ family }) => family),
  };
};

test.each<[PlanFamily[], PlanFamily | undefined, PlanFamily[], PlanFamily]>([
  [['monthly', 'quarterly'], undefined, ['quarterly'], 'quarterly'],
  [['monthly', 'quarterly'], 'monthly', ['quarterly'], 'monthly'],
  [['monthly_5d', 'quarterly'], undefined, ['quarterly'], 'quarterly'],
  // 0.9967, 0.998 and 0.99857 a day are all displayed as $1.00.
  [['monthly_7d', 'monthly_5d', 'monthly_3d'], undefined, ['monthly_3d'], 'monthly_3d'],
  [['monthly', 'quarterly'], 'monthly_7d', ['quarterly'], 'quarterly'],
  [['monthly'], undefined, [], 'monthly'],
])('preselection: of %j, with %s requested', (families, wanted, best, chosen) => {
  expect(badges(families, wanted)).toEqual({ best, chosen: [chosen] });
});

test('preselection: only the plan that an offer marks can be marked, while it has the lowest price per day', () => {
  const all = views(['monthly', 'quarterly']);
  const marked = (only: PlanFamily) =>
    withPreselection(all, undefined, only).flatMap((plan) => (plan.bestValue ? plan.family : []));
  expect([marked('quarterly'), marked('monthly'), marked('monthly_7d')]).toEqual([
    ['quarterly'],
    [],
    [],
  ]);
});

test('preselection: exactly one plan is selected, and no other plan costs less per day', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(main, { minLength: 1 }),
      fc.option(fc.constantFrom(...main), { nil: undefined }),
      (families, wanted) => {
        const { best, chosen } = badges(families, wanted);
        expect(chosen).toHaveLength(1);
        if (wanted && families.includes(wanted)) expect(chosen).toEqual([wanted]);
        const perDay = (plan: PlanView) => plan.periodPrice / coveredDays(plan);
        const lowest = Math.min(...views(families).map(perDay));
        for (const plan of views(families)) {
          if (best.includes(plan.family)) expect(perDay(plan)).toBe(lowest);
        }
      },
    ),
  );
});

test.each<[PlanFamily[], PlanFamily[], PlanFamily | undefined, PlanFamily]>([
  [['monthly_7d', 'quarterly'], ['monthly', 'quarterly'], 'monthly_7d', 'monthly'],
  [['monthly_7d', 'quarterly'], ['monthly', 'quarterly'], undefined, 'quarterly'],
  [['monthly_7d', 'quarterly'], ['monthly', 'quarterly'], 'monthly', 'monthly'],
  [['monthly_7d'], ['quarterly'], undefined, 'quarterly'],
])(
  'preselection: after %j, of %j, with %s requested, the next is %s',
  (plans, after, wanted, next) => {
    const { plansAfterOffer } = preselectOffer(views(plans), views(after), wanted);
    const chosen = plansAfterOffer.filter(({ preselected }) => preselected);
    expect(chosen.map(({ family }) => family)).toEqual([next]);
  },
);
