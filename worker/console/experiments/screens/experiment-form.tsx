import { useContext } from 'react';
import { ChoiceField } from '../../parts/choice.tsx';
import { Field, Hidden, SubmitButton } from '../../parts/field.tsx';
import { ConsoleLayout, ConsoleView, FormProblems, useMayPublish } from '../../parts/layout.tsx';
import { themeName } from '../../parts/rules/names.ts';
import { localTime } from '../../parts/rules/time-zone.ts';
import type { Draft, DraftVariant } from '../rules/experiment-draft.ts';
import { Estimates } from './estimates.tsx';
import { type PartProps, type Problem, Ticks, Who, type WhoChoices } from './experiment-who.tsx';
import {
  StepButton,
  type TextChange,
  VariantTexts,
  type VariantTextsProps,
} from './variant-texts.tsx';

export interface ExperimentFormProps {
  draft: Draft;
  base: string;
  choices: WhoChoices & {
    themes: readonly string[];
    metrics: Readonly<Record<string, string>>;
  };
  flows: readonly { name: string; label: string }[];
  offers: readonly string[];
  /** Of each variant, in their order. */
  texts: readonly (Omit<VariantTextsProps, 'index'> & { changed: readonly TextChange[] })[];
  /** By field, such as `targeting.countries.0`. */
  problems: Readonly<Record<string, string>>;
  others: string[];
  /** How long it will take; none if that is not known. */
  estimates: readonly string[];
}

interface VariantProps extends Pick<ExperimentFormProps, 'choices' | 'flows' | 'offers' | 'texts'> {
  variant: DraftVariant;
  index: number;
  problem: Problem;
}

function OtherChanges({ variant, index, choices, flows, offers, problem }: VariantProps) {
  const path = `variants.${index}.changes`;
  const labels = new Map(flows.map(({ name, label }) => [name, label]));
  return (
    <details open={[variant.flow, variant.offer, variant.theme].some((part) => part !== '')}>
      <summary>Flow, offer, theme</summary>
      <div className="beside">
        <ChoiceField
          label="Flow"
          name={`flow.${index}`}
          chosen={variant.flow}
          choices={flows.map(({ name }) => name)}
          all="as without the test"
          textOf={(name) => labels.get(name) ?? name}
          problem={problem(`${path}.flow`)}
        />
        <ChoiceField
          label="Offer"
          name={`offer.${index}`}
          chosen={variant.offer}
          choices={offers}
          all="as without the test"
          problem={problem(`${path}.offer`)}
        />
        <ChoiceField
          label="Theme"
          name={`theme.${index}`}
          chosen={variant.theme}
          choices={choices.themes}
          all="as without the test"
          textOf={themeName}
        />
      </div>
    </details>
  );
}

const Weight = ({
  index,
  variant,
  problem,
}: Pick<VariantProps, 'index' | 'variant' | 'problem'>) => (
  <Field
    label={`Share of ${variant.key}, %`}
    note={index > 1 ? 'Empty: it is removed.' : ''}
    type="number"
    min="0"
    max="100"
    step="0.01"
    name={`weight.${index}`}
    defaultValue={variant.weight}
    problem={problem(`variants.${index}.weight`)}
  />
);

function Variant(props: VariantProps) {
  const { variant, index, problem, texts } = props;
  const own = texts[index];
  return (
    <section className="card">
      <h2>{`Variant ${variant.key}`}</h2>
      {problem(`variants.${index}.changes`) && (
        <p className="problem-text">{problem(`variants.${index}.changes`)}</p>
      )}
      {own && <VariantTexts {...own} index={index} />}
      <OtherChanges {...props} />
      <Weight {...props} />
    </section>
  );
}

function Plan({
  draft,
  metrics,
  problem,
}: PartProps & Pick<ExperimentFormProps['choices'], 'metrics'>) {
  const { zone } = useContext(ConsoleView);
  const { metric, secondary, starts, ends, layer, learned, id } = draft;
  const clock = (iso: string) => {
    const time = Date.parse(iso);
    return Number.isNaN(time) ? iso : localTime(time, zone).slice(0, 16);
  };
  const nameOf = (name: string) => metrics[name] ?? name;
  return (
    <details className="card" open={[starts, ends, layer].some(Boolean) || secondary.length > 0}>
      <summary>Measure and dates</summary>
      <Hidden fields={{ zone }} />
      <div className="beside">
        <ChoiceField
          label="Decided by"
          name="metric"
          chosen={metric}
          choices={Object.keys(metrics)}
          textOf={nameOf}
        />
        <Field
          label={`Start (${zone})`}
          type="datetime-local"
          name="starts"
          defaultValue={clock(starts)}
          problem={problem('starts')}
        />
        <Field
          label={`End (${zone})`}
          note="Empty: when you end it."
          type="datetime-local"
          name="ends"
          defaultValue={clock(ends)}
          problem={problem('ends')}
        />
        <Field
          label="Layer"
          note="No visitor is in two tests of the same layer."
          name="layer"
          defaultValue={layer}
          problem={problem('layer')}
        />
      </div>
      <Ticks
        legend="Judged too"
        name="secondary"
        choices={Object.keys(metrics)}
        chosen={secondary}
        textOf={nameOf}
      />
      {id && (
        <label className="field">
          <span>What we learned</span>
          <textarea name="learned" defaultValue={learned} maxLength={2000} rows={3} />
        </label>
      )}
    </details>
  );
}

/** An experiment beside the split. Its buttons send the form, so it needs no script. */
export function ExperimentForm(props: ExperimentFormProps) {
  const { draft, base, choices, flows, offers, texts, problems, others, estimates } = props;
  const mayPublish = useMayPublish();
  const problem: Problem = (...fields) =>
    fields.map((field) => problems[field]).find((text) => text !== undefined);
  const [control, ...tried] = draft.variants;
  const part = { draft, problem };
  const common = { choices, flows, offers, texts, problem };
  return (
    <ConsoleLayout title={draft.id || 'New experiment'} at="/console/experiments">
      <FormProblems isWrong={others.length + Object.keys(problems).length > 0} others={others} />
      <form method="post" action="/console/experiments/review" className="experiment">
        <Hidden fields={{ base, id: draft.id }} />
        {draft.variants.map(({ key }) => (
          <Hidden key={key} fields={{ key }} />
        ))}
        <fieldset disabled={!mayPublish}>
          {/* Enter presses the first button, so it must not be one that changes the form. */}
          <SubmitButton className="unseen" tabIndex={-1} aria-hidden="true">
            Review
          </SubmitButton>
          <section className="card">
            <Field
              label="What do you expect?"
              note="Such as: A headline with a promise sells more."
              name="hypothesis"
              defaultValue={draft.hypothesis}
              maxLength={500}
              required
              problem={problem('hypothesis', 'id')}
            />
          </section>
          <Who {...part} choices={choices} />
          {tried.map((variant, at) => (
            <Variant key={variant.key} {...common} variant={variant} index={at + 1} />
          ))}
          {control && (
            <section className="card beside">
              <div>
                <Weight variant={control} index={0} problem={problem} />
                {problem('variants') && <p className="problem-text">{problem('variants')}</p>}
              </div>
              <p className="quiet">The control shows what visitors see without the test.</p>
              <StepButton step="variant">Add a variant</StepButton>
            </section>
          )}
          <Plan {...part} metrics={choices.metrics} />
          {estimates.length > 0 && (
            <Estimates lines={estimates}>
              <StepButton step="estimate">Estimate it again</StepButton>
            </Estimates>
          )}
          <SubmitButton>Review the experiment</SubmitButton>
        </fieldset>
      </form>
    </ConsoleLayout>
  );
}
