import type { CancelOffer, CancelReason } from '../../../catalog/rules/cancel-offers.ts';
import { ChoiceField } from '../../parts/choice.tsx';
import { Hidden, SubmitButton } from '../../parts/field.tsx';
import type { OfferForm } from '../rules/offer-form.ts';
import type { PlanChoice } from '../rules/plan-choices.ts';

export interface OfferFormProps {
  form: OfferForm;
  isEditing: boolean;
  shared: readonly string[];
  /** By field, such as `plans.0`. */
  problems: Readonly<Record<string, string>>;
}

export type OfferChoices = Readonly<Record<'main' | 'upsell' | 'guide', readonly PlanChoice[]>>;

const reasonNames: Record<CancelReason, string> = {
  too_expensive: 'It is too expensive',
  not_needed: 'It is not needed now',
  not_working: 'It does not work',
  another: 'Another reason',
};

const answerNames: Record<CancelOffer, string> = {
  pause: 'A pause',
  plan: 'A plan that costs less',
  help: 'Help',
  none: 'Nothing',
};

interface Props extends OfferFormProps {
  base: string;
  choices: OfferChoices;
}

type ListProps = Pick<Props, 'choices' | 'problems'> & {
  name: 'plans' | 'after';
  legend: string;
  note: string;
  chosen: readonly string[];
};

const nameIn = (all: readonly PlanChoice[]) => (reference: string) =>
  all.find((choice) => choice.reference === reference)?.name ?? reference;

/** Two more than are chosen, so that plans can be added without a script. */
function PlanList({ name, legend, note, chosen, choices: { main }, problems }: ListProps) {
  const all = main.map(({ reference }) => reference);
  const places = [...chosen, '', ''].map((value, at) => ({ value, at }));
  return (
    <fieldset className="ticks">
      <legend>{legend}</legend>
      <p className="quiet">{note}</p>
      <div className="lines">
        {places.map(({ value, at }) => (
          <ChoiceField
            key={at}
            label={`Plan ${at + 1}`}
            name={name}
            chosen={value}
            choices={value && !all.includes(value) ? [value, ...all] : all}
            all="none"
            textOf={nameIn(main)}
            problem={problems[`${name}.${at}`]}
          />
        ))}
      </div>
      {problems[name] && <span className="problem-text">{problems[name]}</span>}
    </fieldset>
  );
}

function SoldOnce({ name, label, slot, ...props }: Props & SlotProps) {
  const choices = props.choices[slot];
  return (
    <ChoiceField
      label={label}
      name={name}
      chosen={props.form[name]}
      choices={choices.map(({ reference }) => reference)}
      textOf={nameIn(choices)}
      problem={props.problems[name]}
    />
  );
}

interface SlotProps {
  name: 'upsell' | 'guide';
  slot: 'upsell' | 'guide';
  label: string;
}

function CancelAnswers({ cancel }: Pick<Props['form'], 'cancel'>) {
  return (
    <details open={Object.values(cancel).some((answer) => answer !== '')}>
      <summary>Before a cancellation</summary>
      <div className="beside">
        {Object.entries(reasonNames).map(([reason, name]) => (
          <ChoiceField
            key={reason}
            label={name}
            name={reason}
            chosen={cancel[reason as CancelReason]}
            choices={Object.keys(answerNames)}
            all="as built in"
            textOf={(answer) => answerNames[answer as CancelOffer]}
          />
        ))}
      </div>
    </details>
  );
}

/** What an offer sells; the plans keep the order of the form. */
export function OfferFields(props: Props) {
  const { base, form, isEditing, shared, choices, problems } = props;
  return (
    <details open={isEditing} id={`offer-${form.key}`}>
      <summary>Change what it sells</summary>
      <form method="post" action="/console/offers/sells" className="lines">
        <Hidden fields={{ base, key: form.key }} />
        {shared.length > 0 && (
          <p className="quiet">{`The same offer is shown to ${shared.join(', ')}; it changes there too.`}</p>
        )}
        <PlanList
          {...{ choices, problems }}
          name="plans"
          legend="Plans on the checkout"
          note="In this order. To take a plan out, choose none."
          chosen={form.plans}
        />
        <ChoiceField
          label="Selected at first"
          name="preselect"
          chosen={form.preselect}
          choices={choices.main.map(({ reference }) => reference)}
          all="the lowest price per day"
          textOf={nameIn(choices.main)}
          problem={problems.preselect}
        />
        <ChoiceField
          label="“Best value”, if it has the lowest price per day"
          name="bestValue"
          chosen={form.bestValue}
          choices={choices.main.map(({ reference }) => reference)}
          all="any plan"
          textOf={(reference) => `only ${nameIn(choices.main)(reference)}`}
        />
        <SoldOnce {...props} name="upsell" slot="upsell" label="Extra after the payment" />
        <SoldOnce {...props} name="guide" slot="guide" label="Guide after the payment" />
        <details open={form.after.length > 0 || problems.after !== undefined}>
          <summary>When the countdown is over</summary>
          <PlanList
            {...{ choices, problems }}
            name="after"
            legend="Plans after the countdown"
            note="Empty: the offer has no countdown."
            chosen={form.after}
          />
        </details>
        <CancelAnswers cancel={form.cancel} />
        <SubmitButton>Review the offer</SubmitButton>
      </form>
    </details>
  );
}
