import { ChoiceField } from '../../parts/choice.tsx';
import { Hidden, SecondButton, SubmitButton } from '../../parts/field.tsx';
import { ConsoleLayout, FormProblems, NoticeLine, useMayPublish } from '../../parts/layout.tsx';
import { Beside, type BesideProps } from './beside.tsx';
import { ExperimentList, type ListedExperiment } from './experiment-list.tsx';
import { Comparisons, type ResultsView, VariantResults, VerdictText } from './results.tsx';
import { VariantRow, variantField } from './variant-row.tsx';

export interface ExperimentsProps {
  /** Whether visitors get the live documents, or an earlier version because these are invalid. */
  served: boolean;
  isDraft: boolean;
  /** Fingerprint of the documents that the form starts from. */
  base: string;
  experiment: string;
  variants: readonly { key: string; weight: number; flow: string }[];
  live: readonly { key: string; weight: number; flow: string }[];
  waiting: readonly string[];
  flows: readonly { name: string; label: string }[];
  notice: string;
  /** Null on the page of one experiment. */
  listed: readonly ListedExperiment[] | null;
  /** The chosen experiment beside the split; null for the split, and for an earlier one. */
  beside: BesideProps | null;
  chosen: string;
  /** Null if they cannot be computed. */
  results: ResultsView | null;
  /** Paths of the scripts that make shares add up to 100 and show values of charts; none without a build. */
  scripts: readonly string[];
  errors: readonly { field: string; text: string }[];
}

function Ends({ variants }: Pick<ExperimentsProps, 'variants'>) {
  if (activeIn(variants).length < 2) return null;
  return (
    <section className="card">
      <h2>End or pause</h2>
      <p className="quiet">
        New visitors get one variant; others keep theirs. To resume the test, roll back to this
        version.
      </p>
      <form method="post" action="/console/review" className="beside">
        <ChoiceField
          label="Variant"
          name="ship"
          chosen=""
          choices={variants.map(({ key }) => key)}
        />
        <SecondButton>Ship this variant</SecondButton>
      </form>
    </section>
  );
}

const activeIn = (variants: ExperimentsProps['live']) =>
  variants.filter(({ weight }) => weight > 0);

function splitText(variants: ExperimentsProps['live']): string {
  const [only, ...others] = activeIn(variants);
  return others.length > 0
    ? `The split tests ${others.length + 1} variants.`
    : `The split: every new visitor gets “${only?.key ?? ''}”.`;
}

const othersIn = (errors: ExperimentsProps['errors']) =>
  errors
    .filter(({ field }) => !/^(experiment|variants\.\d+\.\w+)$/.test(field))
    .map(({ text }) => text);

function VariantsTable({
  variants,
  flows,
  errors,
}: Pick<ExperimentsProps, 'variants' | 'flows' | 'errors'>) {
  return (
    <div className="scroll">
      <table className="stacks">
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col">Share, %</th>
            <th scope="col">Flow</th>
          </tr>
        </thead>
        <tbody>
          {variants.map((variant, index) => (
            <VariantRow
              key={variant.key}
              index={index}
              variant={variant}
              flows={flows}
              errors={errors}
            />
          ))}
          <VariantRow
            index={variants.length}
            variant={{ key: '', weight: null, flow: 'default' }}
            flows={flows}
            errors={errors}
          />
        </tbody>
      </table>
    </div>
  );
}

function SplitForm(props: ExperimentsProps) {
  const mayPublish = useMayPublish();
  const { base, experiment, errors } = props;
  const name = variantField(errors, 'experiment');
  return (
    <form method="post" action="/console/review" data-shares="">
      <Hidden fields={{ base }} />
      <fieldset disabled={!mayPublish}>
        <label className="field">
          <span>Experiment</span>
          <input name="experiment" defaultValue={experiment} {...name.attributes} />
          {name.problem}
        </label>
        <p className="quiet">
          A new name assigns every visitor again. With the same name, only new visitors are
          assigned; returning visitors keep their variant.
        </p>
        <VariantsTable {...props} />
        <p>
          {/* Reserves a line before the script fills it. */}
          <output>{'\u00a0'}</output>
        </p>
        <p className="quiet">
          Fill in the last row to add a variant. Clear a name to remove its variant.
        </p>
        <p className="beside">
          <SubmitButton>Review the change</SubmitButton>
          <SecondButton formAction="/console/preview" formTarget="_blank">
            Preview this change in a new tab
          </SecondButton>
        </p>
      </fieldset>
    </form>
  );
}

function Split(props: ExperimentsProps) {
  const mayPublish = useMayPublish();
  const change =
    activeIn(props.live).length > 1 ? 'Change the split' : 'Test flows or offers with the split';
  return (
    <section className="card">
      <h2>{splitText(props.live)}</h2>
      {props.waiting.map((line) => (
        <p key={line}>
          {line} <a href="/console/versions">View or cancel it</a>
        </p>
      ))}
      <details open={props.isDraft} className={mayPublish ? 'begin' : undefined}>
        <summary>{mayPublish ? change : 'View the split'}</summary>
        <SplitForm {...props} />
      </details>
      {!mayPublish && (
        <p className="quiet">
          Your role cannot publish.{' '}
          <a href="/console/preview" target="_blank" rel="noopener">
            Preview the live screens in a new tab
          </a>
        </p>
      )}
    </section>
  );
}

/** The list, the live split and its results; of another experiment, its results. */
export function Experiments(props: ExperimentsProps) {
  const { served, notice, errors, scripts, experiment, listed, beside, chosen, results } = props;
  const isLive = chosen === experiment || props.isDraft;
  const mayPublish = useMayPublish();
  return (
    <ConsoleLayout title={isLive ? 'Experiments' : chosen} at="/console/experiments">
      {notice && (
        <NoticeLine kind="done">
          {notice} <a href="/console/versions">Roll back to an earlier version</a>
        </NoticeLine>
      )}
      <FormProblems isWrong={errors.length > 0} others={othersIn(errors)} />
      {!served && (
        <NoticeLine kind="problem">
          The live documents are not valid. Visitors get an earlier version.
        </NoticeLine>
      )}
      {listed && <ExperimentList listed={listed} />}
      {beside && <Beside {...beside} />}
      {results && <VerdictText {...results} />}
      {results && <Comparisons {...results} />}
      {isLive && <Split {...props} />}
      {results && results.rows.length > 0 ? (
        <VariantResults {...results} />
      ) : (
        !isLive && <p>{`No visitor has seen “${chosen}” yet.`}</p>
      )}
      {isLive && mayPublish && <Ends variants={props.live} />}
      {scripts.map((script) => (
        <script key={script} type="module" src={script} />
      ))}
    </ConsoleLayout>
  );
}
