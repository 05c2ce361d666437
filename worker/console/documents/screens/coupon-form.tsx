import { CheckField, Field, Hidden, SecondButton, SubmitButton } from '../../parts/field.tsx';
import type { CouponForm } from '../rules/coupon-form.ts';

/** Those to which a coupon can apply, by the place where they are sold. */
export type CouponPlans = readonly {
  place: string;
  plans: readonly { family: string; name: string }[];
}[];

interface ActionsProps {
  code: string;
  base: string;
  hasCodes: boolean;
}

export const CouponActions = ({ code, base, hasCodes }: ActionsProps) => (
  <>
    {hasCodes && (
      <a href={`/console/offers/codes.csv?${new URLSearchParams({ coupon: code })}`} download>
        Codes (CSV)
      </a>
    )}
    <a href={`/console/offers?${new URLSearchParams({ coupon: code })}#coupon`}>Change</a>
    <form method="post" action="/console/offers/coupon">
      <Hidden fields={{ base, code }} />
      <SecondButton name="remove" value="true">
        Remove
      </SecondButton>
    </form>
  </>
);

interface CouponProps {
  base: string;
  coupon: CouponForm;
  isEditing: boolean;
  families: CouponPlans;
}

export function CouponFields({ base, coupon, isEditing, families }: CouponProps) {
  const { code, was, kind, value, plans, until, most, renewals, codes } = coupon;
  return (
    <details id="coupon" open={isEditing}>
      <summary>{isEditing && code ? `Coupon ${code}` : 'New coupon'}</summary>
      <form method="post" action="/console/offers/coupon" className="lines">
        <Hidden fields={{ base, was }} />
        <div className="beside">
          <Field label="Code" name="code" defaultValue={code} required placeholder="WINTER20" />
          <fieldset className="field">
            <legend>Discount</legend>
            <span className="joined">
              <input
                name="value"
                aria-label="Discount"
                defaultValue={value}
                required
                inputMode="decimal"
                size={6}
              />
              <select name="kind" aria-label="Unit" defaultValue={kind}>
                <option value="percent">%</option>
                <option value="amount">$ or €</option>
              </select>
            </span>
          </fieldset>
          {[
            ['until', 'Last day, UTC', until, '', 'date'],
            ['renewals', 'Renewals that get it too', renewals, 'Empty: only the first payment.'],
            ['most', 'Redemption limit', most],
            ['codes', 'Single-use codes', codes, 'Empty: everybody uses the code above.'],
          ].map(([name, label, value, note = '', type = 'number']) => (
            <Field
              key={name}
              label={`${label} (optional)`}
              note={note}
              type={type}
              name={name}
              defaultValue={value}
            />
          ))}
        </div>
        <fieldset className="ticks">
          <legend>Plans</legend>
          <CheckField
            type="radio"
            name="scope"
            value="all"
            isChosen={plans === null}
            label="All plans without a discount or a free trial"
          />
          <CheckField
            type="radio"
            name="scope"
            value="some"
            isChosen={plans !== null}
            label="Only the plans that I choose"
          />
          <div className="groups">
            {families.map(({ place, plans: own }) => (
              <fieldset key={place}>
                <legend>{place}</legend>
                {own.map(({ family, name }) => (
                  <CheckField
                    key={family}
                    type="checkbox"
                    name="plans"
                    value={family}
                    isChosen={plans?.includes(family) ?? false}
                    label={name}
                  />
                ))}
              </fieldset>
            ))}
          </div>
        </fieldset>
        <SubmitButton>Review the coupon</SubmitButton>
      </form>
    </details>
  );
}
