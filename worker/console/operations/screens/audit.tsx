import { ConsoleLayout, Scroll, Time } from '../../parts/layout.tsx';

export interface AuditRow {
  id: string;
  time: string;
  operator: string;
  action: string;
  target: string;
  /** Changed values, before → after. */
  details: readonly string[];
  reason: string;
  result: string;
}

interface Props {
  rows: readonly AuditRow[];
  /** Selects rows with this text in operator, action or target. */
  filter: string;
  /** Whether there may be older rows. */
  isFull: boolean;
  /** Whether the list includes actions on people and payments. */
  isWhole: boolean;
}

function Row({ row }: { row: AuditRow }) {
  return (
    <tr>
      <td data-label="Time">
        <Time at={row.time} />
      </td>
      <td data-label="Person">{row.operator}</td>
      <td data-label="Action">{row.action}</td>
      <td data-label="Target">{row.target}</td>
      <td data-label="Before → after">
        <ul className="plain">
          {row.details.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </td>
      <td data-label="Reason">{row.reason}</td>
      <td data-label="Result">{row.result}</td>
    </tr>
  );
}

export function Audit({ rows, filter, isFull, isWhole }: Props) {
  return (
    <ConsoleLayout title="Audit" at="/console/audit">
      <form method="get" action="/console/audit" className="beside search">
        <label className="field">
          <span>Person, action or target</span>
          <input name="q" defaultValue={filter} />
        </label>
        <button type="submit" className="secondary">
          Filter
        </button>
        <a href={`/console/audit.csv?q=${encodeURIComponent(filter)}`}>Download as CSV</a>
      </form>
      {!isWhole && (
        <p className="quiet">
          This list shows publications only. Operators and owners also see actions on people and
          payments.
        </p>
      )}
      <Scroll label="Audit log">
        {rows.length === 0 ? (
          <p>No entries found. Clear the filter to see all.</p>
        ) : (
          <table className="stacks">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Person</th>
                <th scope="col">Action</th>
                <th scope="col">Target</th>
                <th scope="col">Before → after</th>
                <th scope="col">Reason</th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </tbody>
          </table>
        )}
      </Scroll>
      {isFull && (
        <p>
          <a
            href={`/console/audit?${new URLSearchParams({ q: filter, before: rows.at(-1)?.time ?? '' })}`}
          >
            Older entries
          </a>
        </p>
      )}
    </ConsoleLayout>
  );
}
