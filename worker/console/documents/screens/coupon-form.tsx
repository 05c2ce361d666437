import { ChoiceField } from '../../parts/choice.tsx';
import { Field, Hidden } from '../../parts/field.tsx';
import type { CouponForm } from '../rules/coupon-form.ts';

/** Those to which a coupon can apply. */
export type CouponPlans = readonly { family: string; name: string }[];

export const CouponActions = ({ code, base }: { code: string; base: string }) => (
  <>
    <a href={`/console/offers?${new URLSearchParams({ coupon: code })}#coupon`}>Change</a>
    <form method="post" action="/console/offers/coupon">
      <Hidden fields={{ base, code }} />
      <button type="submit" name="remove" value="true" className="secondary">
        Remove
      </button>
    </form>
  </>
);

interface CouponProps {
  base: string;
  coupon: CouponForm;
  isEditing: boolean;
  families: CouponPlans;
}

interface TickProps {
  type: 'radio' | 'checkbox';
  name: string;
  value: string;
  isChosen: boolean;
  label: string;
}

const Tick = ({ type, name, value, isChosen, label }: TickProps) => (
  <label>
    <input
      type={type}
      className="tick"
      name={name}
      defaultValue={value}
      defaultChecked={isChosen}
    />{' '}
    {label}
  </label>
);

/** A new coupon, or other terms of one that exists. */
export function CouponFields({ base, coupon, isEditing, families }: CouponProps) {
  const { code, kind, value, plans, until, most } = coupon;
  return (
    <details id="coupon" open={isEditing}>
      <summary>{isEditing && code ? `Coupon ${code}` : 'New coupon'}</summary>
      <form method="post" action="/console/offers/coupon" className="lines">
        <input type="hidden" name="base" defaultValue={base} />
        <div className="beside">
          <Field
            label="Code"
            name="code"
            defaultValue={code}
            required
            pattern="[A-Za-z\d_\-]{1,32}"
            placeholder="WINTER20"
          />
          <Field
            label="Discount on the first charge"
            name="value"
            defaultValue={value}
            required
            inputMode="decimal"
            size={6}
          />
          <ChoiceField
            label={<span>Unit</span>}
            name="kind"
            chosen={kind}
            choices={['percent', 'amount']}
            textOf={(unit) => (unit === 'percent' ? 'percent' : 'dollars or euros')}
          />
          <Field label="Last day, UTC (optional)" type="date" name="until" defaultValue={until} />
          <Field
            label="Redemption limit (optional)"
            type="number"
            name="most"
            min="1"
            defaultValue={most}
          />
        </div>
        <fieldset className="ticks">
          <legend>Plans</legend>
          {(['all', 'some'] as const).map((scope) => (
            <Tick
              key={scope}
              type="radio"
              name="scope"
              value={scope}
              isChosen={(plans === null) === (scope === 'all')}
              label={scope === 'all' ? 'All plans without a discount' : 'Only these:'}
            />
          ))}
          {families.map(({ family, name }) => (
            <Tick
              key={family}
              type="checkbox"
              name="plans"
              value={family}
              isChosen={plans?.includes(family) ?? false}
              label={name}
            />
          ))}
        </fieldset>
        <button type="submit">Review the coupon</button>
      </form>
    </details>
  );
}
