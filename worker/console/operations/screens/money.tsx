import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { ConsoleLayout } from '../../parts/layout.tsx';
import { figures, List, Table, type TableRow } from '../../parts/table.tsx';

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
  email: string;
  payment: string;
  account: string;
  reason: string;
}

interface Props {
  mayAct: boolean;
  period: string;
  /** Time zone of the days. */
  zone: string;
  periods: readonly string[];
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
}

const columns = figures('Captured', 'Refunded', 'Lost in disputes', 'Net');

function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <Table
      title="Refunds and their reasons"
      stacks
      columns={['At', ...figures('Amount'), 'Reason', 'Buyer and payment']}
      rows={refunds.map(({ id, time, amount, email, payment, account, reason }) => ({
        name: time,
        key: id,
        cells: [
          amount,
          reason,
          <div key={id}>
            <a href={`/console/people/${account}`}>{email}</a>
            <small>{payment}</small>
          </div>,
        ],
      }))}
      empty="Nothing was refunded in this period."
    />
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

export function Money(props: Props) {
  const { period, zone, periods, totals, days, nights, fees, refunds } = props;
  return (
    <ConsoleLayout title="Money" at="/console/money">
      <form method="get" action="/console/money" className="beside" data-apply="">
        <ChoiceField label={<span>Period</span>} name="period" chosen={period} choices={periods} />
        <ShowButton />
        <a href={`/console/money.csv?${props.query}`}>Download as CSV</a>
      </form>
      <div id="disputes" />
      <Warnings {...props} />
      <Disputes {...props} />
      <Table
        title="By currency and provider"
        stacks
        columns={['Currency and provider', ...columns]}
        rows={totals}
        empty="No money moved in this period."
      >
        <p className="quiet">Fees of the providers are not deducted.</p>
      </Table>
      <Table
        title="Fees of the providers"
        columns={['Provider', ...figures('Fees'), 'Days included']}
        rows={fees}
        empty="No payments or fees in this period."
      >
        <p className="quiet">
          In the currency of the provider’s balance. Days are UTC, as in the nightly reconciliation.
        </p>
      </Table>
      {refunds && <Refunds refunds={refunds} />}
      <List
        title="Nightly reconciliation"
        lines={nights}
        empty="No nightly reconciliation has run yet."
      />
      <Table
        title={`By day, ${zone}`}
        columns={['Day', 'Currency and provider', ...columns]}
        rows={days}
        empty="No money moved in this period."
      />
    </ConsoleLayout>
  );
}
