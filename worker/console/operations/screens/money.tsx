import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { ConsoleLayout } from '../../parts/layout.tsx';
import { List, Table, type TableRow } from '../../parts/table.tsx';

interface Dispute {
  id: string;
  payment: string;
  amount: string;
  reason: string;
  due: string;
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
  warnings: readonly string[];
  /** Includes the reason and the person; null for a role without access to people. */
  refunds: readonly Refund[] | null;
  fees: readonly TableRow[];
  nights: readonly string[];
  query: string;
}

const columns = ['Captured', 'Refunded', 'Lost in disputes', 'Net'];

function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <Table
      title="Refunds and their reasons"
      stacks
      columns={['At', 'Amount', 'Reason', 'Buyer and payment']}
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

function Disputes({ disputes, warnings, mayAct }: Pick<Props, 'disputes' | 'warnings' | 'mayAct'>) {
  return (
    <Table
      title="Open disputes"
      stacks
      columns={['Payment', 'Amount', 'Reason', 'Evidence due', 'Evidence']}
      rows={(disputes ?? []).map(({ id, payment, amount, reason, due }) => ({
        name: payment,
        key: id,
        cells: [
          amount,
          reason,
          due,
          mayAct ? (
            <a key={id} href={`/console/money/evidence/${encodeURIComponent(payment)}`}>
              Download
            </a>
          ) : (
            'operators only'
          ),
        ],
      }))}
      empty={disputes === null ? 'Monitoring does not respond.' : 'None.'}
    >
      {warnings.length > 0 && (
        <p>{`Banks warn of fraud in these payments. Refund them before they are disputed: ${warnings.join(', ')}.`}</p>
      )}
    </Table>
  );
}

export function Money(props: Props) {
  const { period, zone, periods, totals, days, nights, fees, refunds } = props;
  return (
    <ConsoleLayout title="Money" at="/console/money">
      <form method="get" action="/console/money" className="beside">
        <ChoiceField label={<span>Period</span>} name="period" chosen={period} choices={periods} />
        <ShowButton />
        <a href={`/console/money.csv?${props.query}`}>Download as CSV</a>
      </form>
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
        columns={['Provider', 'Fees', 'Days included']}
        rows={fees}
        empty="No payments or fees in this period."
      >
        <p className="quiet">
          In the currency of the provider’s balance. Days are UTC, as in the nightly reconciliation.
        </p>
      </Table>
      {refunds && <Refunds refunds={refunds} />}
      <div id="disputes" />
      <Disputes {...props} />
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
