import { Sparkline } from '../../parts/chart.tsx';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { StatusLine, type StatusProps } from '../../parts/status-line.tsx';
import { figures, List, Table, type TableRow } from '../../parts/table.tsx';
import { DeadLetters, type DeadLetterView } from './dead-letters.tsx';
import { LastRefused, type RefusedProps } from './last-refused.tsx';

interface Counted {
  name: string;
  kind: string;
  total: string;
  series: readonly number[];
}

interface Alarm {
  id: string;
  title: string;
  area: string;
  since: string;
  detail: string;
  check: string;
  /** End of the snooze; empty without one. */
  snoozedUntil: string;
}

export interface OperationsProps {
  mayOperate: boolean;
  notice: string;
  problem: string;
  /** Errors in the settings or the documents, one sentence each. */
  faults: readonly string[];
  lastRefused: RefusedProps | null;
  status: StatusProps;
  parts: readonly TableRow[];
  versions: readonly TableRow[];
  queues: readonly TableRow[];
  watched: string;
  alarms: readonly Alarm[];
  kinds: readonly string[];
  past: readonly string[];
  walks: readonly TableRow[];
  nights: readonly string[];
  logged: readonly Counted[];
  refusedSources: readonly Counted[];
  letters: readonly DeadLetterView[];
  actionKey: string;
}

function Alarms({ alarms, kinds, watched, mayOperate }: OperationsProps) {
  return (
    <section className="card" id="alarms">
      <h2>Alarms</h2>
      {watched && <p className="quiet">{watched}</p>}
      {alarms.length === 0 && (
        <p>{watched ? 'No alarms.' : 'Alarms are checked every minute, on Cloudflare only.'}</p>
      )}
      <details>
        <summary>All kinds of alarms, and what to check first</summary>
        <ul>
          {kinds.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
      {alarms.map(({ id, title, area, since, detail, check, snoozedUntil }) => (
        <article key={id}>
          <h3>{title}</h3>
          <p>{`${detail}. Since ${since}.`}</p>
          <p>{`Check first: ${check}`}</p>
          {snoozedUntil && <p className="quiet">{`Snoozed until ${snoozedUntil}.`}</p>}
          {mayOperate && (
            <form method="post" action="/console/operations/snooze" className="beside">
              <input type="hidden" name="area" defaultValue={area} />
              <label className="field">
                <span>{`Snooze ${area}, hours`}</span>
                <input name="hours" type="number" min="0" max="336" defaultValue="4" required />
              </label>
              <label className="field">
                <span>Reason</span>
                <input name="reason" required maxLength={500} />
              </label>
              <button type="submit" className="secondary">
                Snooze
              </button>
            </form>
          )}
        </article>
      ))}
    </section>
  );
}

const CountedTable = (props: {
  title: string;
  columns: readonly [string, string];
  rows: readonly Counted[];
  empty: string;
}) => (
  <Table
    title={props.title}
    columns={[...props.columns, ...figures('Count'), 'By hour']}
    rows={props.rows.map(({ name, kind, total, series }) => ({
      name,
      cells: [kind, total, <Sparkline key={name} values={series} />],
    }))}
    empty={props.empty}
  />
);

function Faults({ faults }: Pick<OperationsProps, 'faults'>) {
  return (
    <NoticeLine kind="problem">
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </NoticeLine>
  );
}

export function Operations(props: OperationsProps) {
  const { notice, problem, faults, lastRefused, parts, versions, queues, walks, nights, past } =
    props;
  return (
    <ConsoleLayout title="Operations" at="/console/operations">
      {notice && <NoticeLine kind="done">{notice}</NoticeLine>}
      {problem && <NoticeLine kind="problem">{problem}</NoticeLine>}
      <StatusLine {...props.status} />
      {faults.length > 0 && <Faults faults={faults} />}
      <Alarms {...props} />
      {lastRefused && <LastRefused {...lastRefused} />}
      <Table
        title="Parts of the platform"
        columns={['Part', 'State', 'Detail']}
        rows={parts}
        empty=""
      />
      <Table
        title="Versions"
        columns={[
          'Version',
          'First seen',
          ...figures('Responses in 15 minutes', 'Failed responses'),
        ]}
        rows={versions}
        empty="No responses were counted yet."
      />
      <List title="Alarms of the last 14 days" lines={past} empty="None." />
      <Table
        title="Test visits by the synthetic visitor"
        columns={['Visit', 'Result', 'Time', ...figures('Duration')]}
        rows={walks}
        empty="No test visit has run yet. They run every minute, on Cloudflare only."
      />
      <Table
        title="Queues"
        stacks
        columns={['Queue', ...figures('Waiting', 'Oldest', 'Dead letters')]}
        rows={queues}
        empty=""
      />
      <DeadLetters {...props} />
      <List
        title="Nightly reconciliation"
        lines={nights}
        empty="No nightly reconciliation has run yet."
      />
      <CountedTable
        title="Warnings and errors in 24 hours"
        columns={['Log event', 'Level']}
        rows={props.logged}
        empty="None."
      />
      <CountedTable
        title="Sources that browsers blocked in 24 hours"
        columns={['Source', 'Directive']}
        rows={props.refusedSources}
        empty="None."
      />
    </ConsoleLayout>
  );
}
