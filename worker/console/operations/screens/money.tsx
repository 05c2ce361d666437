import { EntryList } from '../../parts/entry-list.tsx';
import { percentText } from '../../parts/figure-text.ts';
import {
  Bar,
  Charts,
  type ChartText,
  Figures,
  type FigureText,
  Marks,
} from '../../parts/figures.tsx';
import { ConsoleLayout } from '../../parts/layout.tsx';
import { figures, List, Table, type TableRow } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';

interface Dispute {
  id: string;
  payment: string;
  amount: string;
  reason: string;
  due: string;
  /** Page of the buyer; empty if it is not known, or for a role without access to people. */
  person: string;
}

/** A bank's warning of fraud. */
interface Warning {
  payment: string;
  amount: string;
  provider: string;
  /** Form that refunds it; empty if its buyer is not known, or for a role that may not. */
  refund: string;
}

interface Refund {
  id: string;
  time: string;
  amount: string;
  provider: string;
  email: string;
  payment: string;
  account: string;
  reason: string;
}

interface Props {
  mayAct: boolean;
  periods: readonly { name: string; href: string; isChosen: boolean }[];
  when: string;
  /** Time zone of the days. */
  zone: string;
  isRunning: boolean;
  marks: readonly { at: number; time: string; text: string }[];
  charts: readonly ChartText[];
  figures: readonly FigureText[];
  totals: readonly TableRow[];
  days: readonly TableRow[];
  /** Null while the monitor does not respond. */
  disputes: readonly Dispute[] | null;
  warnings: readonly Warning[];
  /** Includes the reason and the person; null for a role without access to people. */
  refunds: readonly Refund[] | null;
  fees: readonly TableRow[];
  nights: readonly string[];
  query: string;
  script: string;
}

const columns = figures('Captured', 'Refunded', 'Lost in disputes', 'Net');

const listed = 10;
const heads = ['Refunded at', 'Email', 'Reason', 'Provider', 'Amount'];

const entryOf = ({ id, time, amount, provider, email, payment, account, reason }: Refund) => ({
  key: id,
  time,
  title: (
    <a href={`/console/people/${account}`} title={payment}>
      {email}
    </a>
  ),
  note: reason,
  state: provider,
  figure: amount,
});

/** How often each reason was given, then the refunds. */
function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  const reasons = [...Map.groupBy(refunds, ({ reason }) => reason)]
    .map(([reason, own]) => ({ reason, count: own.length }))
    .sort((a, b) => b.count - a.count);
  const entries = refunds.map(entryOf);
  return (
    <section className="card">
      <h2>Refunds and their reasons</h2>
      {refunds.length === 0 && <p className="quiet">Nothing was refunded in this period.</p>}
      <dl className="bars">
        {reasons.slice(0, 6).map(({ reason, count }) => (
          <div key={reason}>
            <dt>{reason}</dt>
            <dd className="figure">
              {`${count} · ${percentText(count, refunds.length)}`}
              <Bar width={(100 * count) / refunds.length} />
            </dd>
          </div>
        ))}
      </dl>
      <EntryList entries={entries.slice(0, listed)} heads={heads} />
      {entries.length > listed && (
        <details>
          <summary>{`Show ${entries.length - listed} more`}</summary>
          <EntryList entries={entries.slice(listed)} />
        </details>
      )}
    </section>
  );
}

function Disputes({ disputes, mayAct }: Pick<Props, 'disputes' | 'mayAct'>) {
  return (
    <Table
      title="Open disputes"
      stacks
      columns={['Payment', ...figures('Amount'), 'Reason', 'Evidence due', 'Actions']}
      rows={(disputes ?? []).map(({ id, payment, amount, reason, due, person }) => ({
        name: payment,
        key: id,
        cells: [
          amount,
          reason,
          due,
          <span key={id} className="actions">
            {mayAct ? (
              <a href={`/console/money/evidence/${encodeURIComponent(payment)}`}>
                Download evidence
              </a>
            ) : (
              'operators only'
            )}
            {person && <a href={person}>Open the buyer</a>}
          </span>,
        ],
      }))}
      empty={disputes === null ? 'Monitoring does not respond.' : 'None.'}
    />
  );
}

const Warnings = ({ warnings }: Pick<Props, 'warnings'>) =>
  warnings.length > 0 && (
    <Table
      title="Fraud warnings"
      stacks
      columns={['Payment', ...figures('Amount'), 'Provider', 'Action']}
      rows={warnings.map(({ payment, amount, provider, refund }) => ({
        name: payment,
        cells: [
          amount,
          provider,
          refund ? (
            <span key={payment} className="actions">
              <a href={refund}>Refund</a>
            </span>
          ) : (
            '–'
          ),
        ],
      }))}
      empty=""
    >
      <p>Banks warn of fraud in these payments. Refund them before they are disputed.</p>
    </Table>
  );

const hasRisks = ({ disputes, warnings }: Pick<Props, 'disputes' | 'warnings'>) =>
  disputes === null || disputes.length + warnings.length > 0;

function Records({ fees, nights }: Props) {
  return (
    <div className="pairs">
      <Table
        title="Provider fees"
        columns={['Provider', ...figures('Fees'), 'Days included']}
        rows={fees}
        empty="No payments or fees in this period."
      >
        <p className="quiet">
          In the currency of the provider’s balance, by UTC day. The net amount above is before
          fees.
        </p>
      </Table>
      <List
        title="Nightly reconciliation"
        lines={nights}
        empty="None has run yet. It runs every night, on Cloudflare only."
      />
    </div>
  );
}

const ByDay = ({ days, zone }: Pick<Props, 'days' | 'zone'>) =>
  days.length > 0 && (
    <details className="card">
      <summary>{`By day, ${zone}`}</summary>
      <Table
        title={`By day, ${zone}`}
        columns={['Day', 'Currency and provider', ...columns]}
        rows={days}
        empty=""
      />
    </details>
  );

export function Money(props: Props) {
  const { periods, when, isRunning, charts, figures: all, totals, refunds, marks, script } = props;
  return (
    <ConsoleLayout title="Money" at="/console/money">
      <div className="view">
        <Tabs label="Period" tabs={periods} />
        <a href={`/console/money.csv?${props.query}`}>Download as CSV</a>
      </div>
      <p className="quiet">{when}</p>
      {totals.length === 0 && (
        <p>No money moved in this period. Choose a longer one, or check the checkout.</p>
      )}
      <Charts {...{ charts, isRunning, marks }} isCompared={false} />
      <Marks marks={marks} />
      <Figures figures={all} />
      <div id="disputes" />
      <Warnings {...props} />
      {hasRisks(props) ? (
        <Disputes {...props} />
      ) : (
        <p className="quiet">No open disputes and no fraud warnings.</p>
      )}
      <Table
        title="By currency and provider"
        stacks
        columns={['Currency and provider', ...columns]}
        rows={totals}
        empty="No money moved in this period."
      />
      <ByDay {...props} />
      {refunds && <Refunds refunds={refunds} />}
      <Records {...props} />
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}
