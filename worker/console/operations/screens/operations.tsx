import type { ReactNode } from 'react';
import { Sparkline } from '../../parts/chart.tsx';
import { Field, Hidden, SecondButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { StatusLine, type StatusProps } from '../../parts/status-line.tsx';
import { bare, figures, List, Table, type TableRow } from '../../parts/table.tsx';
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
  parts: readonly {
    name: string;
    technical: string;
    isUp: boolean;
    isEmpty: boolean;
    detail: string;
  }[];
  asked: string;
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

function Alarm({ alarm, mayOperate }: { alarm: Alarm } & Pick<OperationsProps, 'mayOperate'>) {
  const { title, area, since, detail, check, snoozedUntil } = alarm;
  return (
    <article>
      <h3>{title}</h3>
      <p>{`${detail}. Since ${since}.`}</p>
      <p>{`Check first: ${check}`}</p>
      {snoozedUntil && <p className="quiet">{`Snoozed until ${snoozedUntil}.`}</p>}
      {mayOperate && (
        <form method="post" action="/console/operations/snooze" className="beside">
          <Hidden fields={{ area }} />
          <Field
            label={`Snooze ${area}, hours`}
            name="hours"
            type="number"
            min="0"
            max="336"
            defaultValue="4"
            required
          />
          <Field label="Reason" name="reason" required maxLength={500} />
          <SecondButton>Snooze</SecondButton>
        </form>
      )}
    </article>
  );
}

const Alarms = ({ alarms, watched, mayOperate }: OperationsProps) =>
  alarms.length > 0 && (
    <section className="card" id="alarms">
      <h2>Alarms</h2>
      <p className="quiet">{watched}</p>
      {alarms.map((alarm) => (
        <Alarm key={alarm.id} alarm={alarm} mayOperate={mayOperate} />
      ))}
    </section>
  );

const CountedTable = (props: {
  title: string;
  columns: readonly [string, string];
  rows: readonly Counted[];
}) => (
  <Table
    title={props.title}
    columns={[...props.columns, ...figures('Count'), 'By hour']}
    rows={props.rows.map(({ name, kind, total, series }) => ({
      name,
      cells: [kind, total, <Sparkline key={name} values={series} />],
    }))}
    empty=""
  />
);

function Faults({ faults }: Pick<OperationsProps, 'faults'>) {
  return (
    <NoticeLine kind="problem">
      <Lines lines={faults} />
    </NoticeLine>
  );
}

/** How many parts work, and which do not, in one line. */
function PartsText({ parts, asked }: Pick<OperationsProps, 'parts' | 'asked'>) {
  const others = parts
    .filter(({ isUp, isEmpty }) => !isUp || isEmpty)
    .map(({ name, isUp }) => `${name}: ${isUp ? 'empty' : 'does not respond'}.`);
  return (
    <>
      <b>{`${parts.length - others.length} of ${parts.length} parts work.`}</b>{' '}
      {[...others, `Asked at ${asked}.`].join(' ')} <a href="/console/operations">
        Check again
      </a>{' '}
    </>
  );
}

const Parts = ({ parts }: Pick<OperationsProps, 'parts'>) => (
  <Table
    title="Parts of the platform"
    stacks
    columns={['Part', ...bare('Detail'), { name: 'State', className: 'figure bare' }]}
    rows={parts.map(({ name, technical, isUp, isEmpty, detail }) => ({
      name,
      note: technical,
      cells: [
        detail,
        <span key={name} className={`chip ${isUp ? (isEmpty ? '' : 'success') : 'danger'}`}>
          {isUp ? (isEmpty ? 'empty' : 'works') : 'does not respond'}
        </span>,
      ],
    }))}
    empty=""
  />
);

function sectionsOf(props: OperationsProps) {
  const { past, walks, versions, queues, letters, nights, logged, refusedSources } = props;
  const section = (title: string, { length }: readonly unknown[], content: ReactNode) => ({
    ...{ title, content, isQuiet: length === 0 },
    isRun: /^(Versions|Test|Nightly)/.test(title),
  });
  const list = (title: string, lines: readonly string[]) =>
    section(title, lines, <List key={title} title={title} lines={lines} empty="" />);
  const table = (
    title: string,
    columns: Parameters<typeof Table>[0]['columns'],
    rows: readonly TableRow[],
  ) => section(title, rows, <Table key={title} stacks empty="" {...{ title, columns, rows }} />);
  const counted = (title: string, columns: readonly [string, string], rows: readonly Counted[]) =>
    section(title, rows, <CountedTable key={title} {...{ title, columns, rows }} />);
  return [
    section(
      'Dead letters: messages that failed permanently',
      letters,
      <DeadLetters key="letters" {...props} />,
    ),
    table('Queues', ['Queue', ...figures('Waiting', 'Oldest', 'Dead letters')], queues),
    counted('Warnings and errors in 24 hours', ['Log event', 'Level'], logged),
    counted('Sources that browsers blocked in 24 hours', ['Source', 'Directive'], refusedSources),
    list('Alarms of the last 14 days', past),
    table(
      'Versions that answer visitors',
      ['Version', 'First seen', ...figures('Responses in 15 minutes', 'Failed responses')],
      versions,
    ),
    table(
      'Test visits by the synthetic visitor',
      ['Visit', 'Result', 'Time', ...figures('Duration')],
      walks,
    ),
    list('Nightly reconciliation', nights),
  ];
}

export function Operations(props: OperationsProps) {
  const { notice, problem, faults, lastRefused, alarms, kinds } = props;
  const sections = sectionsOf(props);
  const quiet = sections.filter(({ isQuiet }) => isQuiet);
  return (
    <ConsoleLayout title="Operations" at="/console/operations">
      {notice && <NoticeLine kind="done">{notice}</NoticeLine>}
      {problem && <NoticeLine kind="problem">{problem}</NoticeLine>}
      <StatusLine {...props.status}>
        <PartsText {...props} />
      </StatusLine>
      {faults.length > 0 && <Faults faults={faults} />}
      {lastRefused && <LastRefused {...lastRefused} />}
      <Alarms {...props} />
      {sections.filter(({ isQuiet }) => !isQuiet).map(({ content }) => content)}
      <div className="pairs">
        <Parts {...props} />
        <Table
          title="Checks without entries"
          columns={['Check', ...figures('State')]}
          rows={quiet.map(({ title, isRun }) => ({
            name: title.split(':')[0] ?? '',
            cells: [
              <span key={title} className={`chip ${isRun ? '' : 'success'}`}>
                {isRun ? 'not run here' : 'none'}
              </span>,
            ],
          }))}
          empty="Each check has entries."
        />
      </div>
      <details className="card" id={alarms.length > 0 ? undefined : 'alarms'}>
        <summary>All kinds of alarms, and what to check first</summary>
        <Lines lines={kinds} />
      </details>
    </ConsoleLayout>
  );
}
