import type { ConsolePerson } from './layout.tsx';
import { ConsoleLayout, Notice, Time } from './layout.tsx';
import { Results, type ResultsView } from './results.tsx';

export interface ExperimentsProps {
  person: ConsolePerson;
  mayPublish: boolean;
  /** Who published the live version, and when; null when its documents were written by hand. */
  version: { id: string; time: string; who: string } | null;
  /** Whether visitors get the live documents, or an earlier version because these are invalid. */
  served: boolean;
  /** Fingerprint of the documents that the form starts from. */
  base: string;
  experiment: string;
  variants: readonly { key: string; weight: number; flow: string }[];
  flows: readonly { name: string; screens: readonly string[] }[];
  notice: string;
  results: ResultsView;
  /** Path of the script that makes shares add up; empty without a build. */
  script: string;
  errors: readonly { field: string; text: string }[];
}

const problemId = (field: string) => `problem-${field.replaceAll('.', '-')}`;

/** Attributes of a field, and its problem below it. */
function fieldOf(errors: ExperimentsProps['errors'], field: string) {
  const found = errors.find((error) => error.field === field);
  return {
    attributes: found ? { 'aria-invalid': true, 'aria-describedby': problemId(field) } : {},
    problem: found && (
      <span className="problem-text" id={problemId(field)}>
        {found.text}
      </span>
    ),
  };
}

function VariantRow(
  props: Pick<ExperimentsProps, 'flows' | 'errors'> & {
    index: number;
    variant: { key: string; weight: number | null; flow: string };
  },
) {
  const { index, variant, flows, errors } = props;
  const at = (name: string) => fieldOf(errors, `variants.${index}.${name}`);
  const [key, weight, flow] = [at('key'), at('weight'), at('flow')];
  const label = variant.key || 'new variant';
  return (
    <tr>
      <td>
        <input
          name="key"
          defaultValue={variant.key}
          aria-label={`Name of ${label}`}
          {...key.attributes}
        />
        {key.problem}
      </td>
      <td className="number">
        <input
          name="weight"
          type="number"
          min="0"
          max="100"
          step="0.01"
          defaultValue={variant.weight ?? ''}
          aria-label={`Share of ${label} in percent`}
          {...weight.attributes}
        />
        <input
          type="range"
          min="0"
          max="100"
          step="0.01"
          className="waiting"
          aria-label={`Slider of ${label}`}
        />
        {weight.problem}
      </td>
      <td>
        <select
          name="flow"
          defaultValue={variant.flow}
          aria-label={`Flow of ${label}`}
          {...flow.attributes}
        >
          {flows.some(({ name }) => name === variant.flow) ? null : <option>{variant.flow}</option>}
          {flows.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        {flow.problem}
      </td>
    </tr>
  );
}

function Ends({ variants }: Pick<ExperimentsProps, 'variants'>) {
  const [control] = variants;
  if (variants.length < 2 || !control) return null;
  return (
    <section className="card">
      <h2>End or pause</h2>
      <p className="quiet">
        Both are shown for review before anything is published. Who has a variant keeps it; going
        back to this version resumes the test.
      </p>
      <form method="post" action="/console/review" className="beside">
        <label className="field">
          <span>Variant</span>
          <select name="ship">
            {variants.map(({ key }) => (
              <option key={key}>{key}</option>
            ))}
          </select>
        </label>
        <button type="submit" className="secondary">
          Ship this variant
        </button>
      </form>
      <form method="post" action="/console/review">
        <input type="hidden" name="ship" defaultValue={control.key} />
        <button type="submit" className="secondary">
          {`Pause: new visitors get '${control.key}'`}
        </button>
      </form>
    </section>
  );
}

function Flows({ flows, variants }: Pick<ExperimentsProps, 'flows' | 'variants'>) {
  return (
    <section className="card">
      <h2>Flows</h2>
      <dl className="flows">
        {flows.map(({ name, screens }) => {
          const users = variants.filter(({ flow }) => flow === name).map(({ key }) => key);
          return (
            <div key={name}>
              <dt>
                {name}
                {users.length > 0 && <span className="chip">{users.join(', ')}</span>}
              </dt>
              <dd>{screens.join(' → ')}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

export function Experiments(props: ExperimentsProps) {
  const { person, mayPublish, version, served, base, experiment, variants, flows } = props;
  const { notice, errors, script } = props;
  const name = fieldOf(errors, 'experiment');
  const others = errors.filter(({ field }) => !/^(experiment|variants\.\d+\.\w+)$/.test(field));
  return (
    <ConsoleLayout title="Experiments" at="/console/experiments" person={person}>
      {notice && <Notice kind="done">{notice}</Notice>}
      {errors.length > 0 && (
        <Notice kind="problem">
          <p>Visitors would not get these documents. Nothing was published.</p>
          {others.length > 0 && (
            <ul>
              {others.map(({ field, text }) => (
                <li key={field + text}>{text}</li>
              ))}
            </ul>
          )}
        </Notice>
      )}
      {!served && (
        <Notice kind="problem">
          The live documents are not valid. Visitors get an earlier version.
        </Notice>
      )}
      <section className="card">
        <h2>Split</h2>
        <p className="quiet">
          {version ? (
            <>
              {`Live: version ${version.id}, published `}
              <Time at={version.time} />
              {` by ${version.who}.`}
            </>
          ) : (
            'Live: documents that were not published here or by the command.'
          )}
        </p>
        <form method="post" action="/console/review" data-shares="">
          <input type="hidden" name="base" defaultValue={base} />
          <fieldset disabled={!mayPublish}>
            <label className="field">
              <span>Experiment</span>
              <input name="experiment" defaultValue={experiment} {...name.attributes} />
              {name.problem}
            </label>
            <p className="quiet">
              A new name assigns every visitor again. The shares add up to 100 %.
            </p>
            <div className="scroll">
              <table>
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
            <p className="quiet">Empty the name of a variant to remove it.</p>
            <button type="submit">Review the change</button>
          </fieldset>
          {!mayPublish && <p className="quiet">Your role can look, not publish.</p>}
        </form>
        <p>
          <a href="/console/preview">Look at every screen of a variant</a>
        </p>
      </section>
      {props.results.rows.length > 0 && <Results {...props.results} />}
      {script && <script type="module" src={script} />}
      {mayPublish && <Ends variants={variants} />}
      <Flows flows={flows} variants={variants} />
    </ConsoleLayout>
  );
}
