import type { ConsolePerson } from './layout.tsx';
import { ConsoleLayout, Notice, Scroll, shortTime } from './layout.tsx';

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
  results: readonly { variant: string; cells: readonly string[]; verdict: string }[];
  /** Whether the visitors' shares contradict the weights. */
  isMismatched: boolean;
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

const columns = ['Visitors', 'Sign-ups', 'Purchases', 'Share', 'Revenue'];

function Results({ results, isMismatched }: Pick<ExperimentsProps, 'results' | 'isMismatched'>) {
  return (
    <Scroll label="Results">
      <h2>Results</h2>
      {isMismatched && (
        <Notice kind="problem">
          The visitors do not match the shares. Do not trust these figures until you know why; if
          you changed the shares during the experiment, give it a new name.
        </Notice>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">Variant</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">Purchases against the first</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ variant, cells, verdict }) => (
            <tr key={variant}>
              <th scope="row">{variant}</th>
              {cells.map((cell, at) => (
                <td key={columns[at]} className="figure">
                  {cell}
                </td>
              ))}
              <td>{verdict}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">
        The intervals are asymptotic confidence sequences (Waudby-Smith and others, arXiv
        2103.06476): they hold at 95 % however often you look, divided among the comparisons.
        Visitors are counted once per experiment and variant when they first see it.
      </p>
    </Scroll>
  );
}

export function Experiments(props: ExperimentsProps) {
  const { person, mayPublish, version, served, base, experiment, variants, flows } = props;
  const { notice, errors } = props;
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
          {version
            ? `Live: version ${version.id}, published ${shortTime(version.time)} UTC by ${version.who}.`
            : 'Live: documents that were not published here or by the command.'}
        </p>
        <form method="post" action="/console/review">
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
      </section>
      {props.results.length > 0 && (
        <Results results={props.results} isMismatched={props.isMismatched} />
      )}
      <Flows flows={flows} variants={variants} />
    </ConsoleLayout>
  );
}
