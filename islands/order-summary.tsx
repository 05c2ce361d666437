import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { money } from '../locales/format/money.ts';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import { CouponField, useCoupon } from './checkout/coupon-field.tsx';
import { PerPlan } from './checkout/per-plan.tsx';
import { useChosenPlan } from './checkout/use-chosen-plan.ts';
import styles from './order-summary.module.css';
import { $loader } from './stores/pending.ts';
import { todayOf } from './stores/plans.ts';

type OrderTableProps = {
  title: string;
  /** Plan name, such as `7-day intro`. */
  name: string;
  /** Of the link to the plans. */
  change: string;
  pending: boolean;
  today: readonly [label: string, amount: string];
  /** Today's amount without the coupon. */
  before?: string;
  rows: readonly (readonly [label: string, text: string])[];
  /** Whether the lines are the steps of a paid intro over time. */
  timeline?: boolean;
  note: string;
};

export function OrderTable(props: OrderTableProps) {
  const { title, name, change, pending, today, before, rows, timeline, note } = props;
  return (
    <section className="stack gap-8">
      <div className={styles.title}>
        <p className="note">{title}</p>
        <h2 className="title-small">{name}</h2>
        <a
          className={`tap small ${styles.change}`}
          href="#plans"
          style={pending ? { visibility: 'hidden' } : undefined}
        >
          {change}
        </a>
      </div>
      <dl className={`stack gap-8 tabular ${timeline ? styles.timeline : ''}`}>
        <div className={`beside wrap spread ${styles.row} ${styles.total}`}>
          <dt>{today[0]}</dt>
          <dd>
            {before && (
              <s className="soft" aria-hidden="true">
                {before}
              </s>
            )}
            {today[1]}
          </dd>
          {note && <dd className="note">{note}</dd>}
        </div>
        {rows.map(([label, text]) => (
          <div key={label} className={`note beside wrap spread ${styles.row}`}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A plan's costs without a coupon, formatted. */
export interface Bill {
  name: string;
  rows: [label: string, text: string][];
}

interface Props {
  /** Null where no coupon can be used; `free` only where a plan begins free. */
  text: (Omit<IslandText['order-summary'], 'free'> & { close: string; free?: string }) | null;
  /** Of the link to the plans. */
  change: string;
  plans: PlanView[];
  plansAfterOffer: PlanView[];
  /** In the order of `plans`, then `plansAfterOffer`. */
  bills: Bill[];
  title: string;
  today: string;
  note: string;
  language: string;
}

/** The costs of every plan; CSS shows the selected one, so it is correct before hydration. */
export default function OrderSummary({
  text,
  change,
  plans,
  plansAfterOffer,
  bills,
  title,
  today,
  note,
  language,
}: Props) {
  const { plan, coupon } = useChosenPlan([...plans, ...plansAfterOffer]);
  const isPaying = useStore($loader, { ssr: 'initial' });
  const [opened, setOpened] = useState(false);
  const { code, error, pending, apply, remove } = useCoupon(
    [...plans, ...plansAfterOffer],
    text !== null,
    text?.failed ?? '',
  );

  useEffect(() => {
    for (const line of document.querySelectorAll<HTMLElement>('[data-renewal]')) {
      const { dataset } = line;
      dataset.full ??= line.textContent ?? '';
      // The bar has one line.
      const text = line.localName === 'bdi' ? coupon?.sentence : coupon?.rows?.[0]?.[1];
      line.textContent = (coupon?.plan === dataset.renewal && text) || dataset.full;
    }
  }, [coupon]);

  const amount = (minor: number, { currency }: PlanView) => money(minor, currency, language);
  const summary = (plan: PlanView, bill: Bill) => (
    <OrderTable
      key={plan.id}
      {...bill}
      title={title}
      change={change}
      pending={isPaying}
      today={[today, amount(todayOf(plan, coupon), plan)]}
      before={coupon?.plan === plan.id ? amount(plan.periodPrice, plan) : ''}
      timeline={plan.introDays !== 0}
      note={note}
    />
  );
  const all = [...plans, ...plansAfterOffer].flatMap((plan, at) => {
    const bill = bills[at];
    return bill ? [summary(plan, bill)] : [];
  });
  const applied = plan && coupon?.plan === plan.id ? coupon : null;
  const none = plan?.introDays && !plan.periodPrice && text?.free;
  return (
    <div>
      <PerPlan offer={all.slice(0, plans.length)} plansAfterOffer={all.slice(plans.length)} />
      {none ? (
        <p className={`small row soft ${styles.coupon}`}>{error || none}</p>
      ) : (
        text && (
          <CouponField
            text={text}
            applied={applied?.code ?? ''}
            off={applied && plan ? amount(-applied.discount, plan).replace('-', '−') : ''}
            code={code}
            error={error}
            pending={pending}
            opened={opened}
            onToggle={setOpened}
            onApply={apply}
            onRemove={remove}
          />
        )
      )}
    </div>
  );
}
