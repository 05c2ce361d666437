import { money } from '../../locales/format/money.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { PartProps } from '../../worker/rendering/page-types.ts';
import { renewalLine } from './plan-labels.ts';

type Props = PartProps<'language'> & { plan: PlanView };

/** What the plan costs later, in the order and below the button; the stored terms repeat it. */
export function Renewal({ page, t, plan }: Props) {
  const price = money(plan.price, plan.currency, page.language);
  return (
    <>
      <bdi data-renewal={plan.id}>{`${t('summary.then')} ${renewalLine(plan, t, price)}`}</bdi>
      {t('summary.until').slice(-1)}
    </>
  );
}
