import { ChoiceField } from '../../parts/choice.tsx';
import { Field, SecondButton } from '../../parts/field.tsx';
import { ConsoleLayout, Time } from '../../parts/layout.tsx';
import { Fold } from '../../parts/table.tsx';

export interface AuditRow {
  id: string;
  time: string;
  operator: string;
  action: string;
  target: string;
  /** E-mail of the buyer whose payment the target is; empty for none. */
  who: string;
  /** Page that shows the target; empty for none. */
  href: string;
  /** Changed values, before → after. */
  details: readonly string[];
  reason: string;
  result: string;
}

interface Props {
  rows: readonly AuditRow[];
  /** The query of this view; `q` selects rows with a text in operator, action or target. */
  query: Readonly<Record<'q' | 'kind' | 'from' | 'to', string>>;
  kinds: readonly string[];
  textOf: (kind: string) => string;
  /** Whether there may be older rows. */
  isFull: boolean;
  /** Whether the list includes actions on people and payments. */
  isWhole: boolean;
}

/** One line, two on a phone; the rest unfolds. */
const Row = ({
  row: { time, operator, action, target, who, href, details, reason, result },
}: {
  row: AuditRow;
}) => (
  <details>
    <summary>
      <Time at={time} />
      <span>
        <span className={`chip ${/^(Publish|Schedule)/.test(action) ? 'first' : ''}`}>
          {action}
        </span>
      </span>
      <span className="operator">{operator}</span>
      <span className="target">{who || target}</span>
      <span className="reason">{reason}</span>
      <span className="figure">{result}</span>
    </summary>
    <dl className="facts">
      <div>
        <dt>By</dt>
        <dd>{operator}</dd>
      </div>
      <div>
        <dt>Target</dt>
        <dd>
          {who} <code className="id">{target}</code> {href && <a href={href}>Open</a>}
        </dd>
      </div>
      <div>
        <dt>Reason</dt>
        <dd>{reason || 'none given'}</dd>
      </div>
      {details.length > 0 && (
        <div>
          <dt>Before → after</dt>
          {details.map((line) => (
            <dd key={line}>{line}</dd>
          ))}
        </div>
      )}
    </dl>
  </details>
);

const heads = ['Time', 'Action', 'By', 'Target', 'Reason', 'Result'];

function Filters({ query, kinds, textOf }: Pick<Props, 'query' | 'kinds' | 'textOf'>) {
  const { q, kind, from, to } = query;
  return (
    <form method="get" action="/console/audit" className="beside search">
      <Field
        label="Search"
        type="search"
        name="q"
        placeholder="Person, action or target"
        defaultValue={q}
      />
      <Fold title="Kind and days">
        <div className="beside">
          <ChoiceField
            label="Kind"
            name="kind"
            chosen={kind}
            choices={kinds}
            all="all"
            textOf={textOf}
          />
          <Field label="From, UTC" type="date" name="from" defaultValue={from} />
          <Field label="To, UTC" type="date" name="to" defaultValue={to} />
        </div>
      </Fold>
      <SecondButton>Filter</SecondButton>
      <a href={`/console/audit.csv?${new URLSearchParams(query)}`}>Download as CSV</a>
    </form>
  );
}

export function Audit({ rows, query, kinds, textOf, isFull, isWhole }: Props) {
  const older = new URLSearchParams({ ...query, before: rows.at(-1)?.time ?? '' });
  return (
    <ConsoleLayout title="Audit" at="/console/audit">
      <Filters {...{ query, kinds, textOf }} />
      {!isWhole && (
        <p className="quiet">
          This list shows publications only. Operators and owners also see actions on people and
          payments.
        </p>
      )}
      {rows.length > 0 && (
        <p className="quiet">{`${isFull ? `The newest ${rows.length}` : rows.length} entries.`}</p>
      )}
      <section className="card log" aria-label="Audit log">
        {rows.length === 0 && <p>No entries found. Clear the filter to see all.</p>}
        {rows.length > 0 && (
          <p className="heads" aria-hidden="true">
            {heads.map((head) => (
              <b key={head}>{head}</b>
            ))}
          </p>
        )}
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </section>
      {isFull && (
        <p className="actions">
          <a href={`/console/audit?${older}`}>Older entries</a>
        </p>
      )}
    </ConsoleLayout>
  );
}
