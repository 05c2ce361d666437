import { ConsoleLayout, NoticeLine, Time } from '../../parts/layout.tsx';
import { bare, figures, Table } from '../../parts/table.tsx';

export interface PersonState {
  text: string;
  kind: 'success' | 'warning' | 'danger' | '';
}

export interface PersonProps {
  notice: string;
  risks: readonly string[];
  /** Actions that are impossible with sample data; empty where the data is real. */
  sample: string;
  account: string;
  email: string;
  facts: readonly (readonly [string, string])[];
  subscriptions: readonly {
    attempt: string;
    plan: string;
    provider: string;
    state: PersonState;
    next: string;
    note: string;
    mayEnd: boolean;
  }[];
  payments: readonly {
    id: string;
    day: string;
    item: string;
    amount: string;
    tax: string;
    provider: string;
    state: PersonState;
    rights: string;
    mayRefund: boolean;
    hasReceipt: boolean;
  }[];
  timeline: readonly { time: string; text: string }[];
}

type Based = { base: string };

const State = ({ text, kind }: PersonState) => <span className={`chip ${kind}`}>{text}</span>;

const Subscriptions = ({ subscriptions, base }: Pick<PersonProps, 'subscriptions'> & Based) => (
  <Table
    title="Subscriptions"
    stacks
    columns={['Plan', ...bare('Status', 'Next', 'Action')]}
    rows={subscriptions.map(({ attempt, plan, provider, state, next, note, mayEnd }) => ({
      name: plan,
      note: provider,
      key: attempt,
      cells: [
        <State key={attempt} {...state} />,
        <span key={attempt}>
          {next}
          {note && <small>{note}</small>}
        </span>,
        mayEnd && (
          <span key={attempt} className="actions">
            <a href={`${base}/end/${attempt}`}>End renewals</a>
          </span>
        ),
      ],
    }))}
    empty="No subscription. The timeline shows whether a payment was tried."
  />
);

const Payments = ({ payments, sample, base }: Pick<PersonProps, 'payments' | 'sample'> & Based) => (
  <Table
    title="Payments"
    stacks
    columns={['Date', ...bare('Item'), ...figures('Amount'), ...bare('Status', 'Actions')]}
    rows={payments.map((payment) => ({
      name: payment.day,
      key: payment.id,
      cells: [
        <span key={payment.id}>
          {payment.item}
          <small>
            {`${payment.provider}, `}
            <code className="id">{payment.id}</code>
          </small>
        </span>,
        <span key={payment.id}>
          {payment.amount}
          {payment.tax && <small>{payment.tax}</small>}
        </span>,
        <span key={payment.id}>
          <State {...payment.state} />
          <small>{payment.rights}</small>
        </span>,
        (payment.mayRefund || payment.hasReceipt) && (
          <span key={payment.id} className="actions">
            {payment.mayRefund && <a href={`${base}/refund/${payment.id}`}>Refund</a>}
            {payment.hasReceipt && <a href={`${base}/receipt/${payment.id}`}>Resend the receipt</a>}
          </span>
        ),
      ],
    }))}
    empty="No payment yet."
  >
    {sample && <p className="quiet">{sample}</p>}
  </Table>
);

/** An identifier is as short as in the table of payments. */
function Told({ text, ids }: { text: string; ids: readonly string[] }) {
  const id = ids.find((one) => text.includes(one));
  if (id === undefined) return text;
  const at = text.indexOf(id);
  return (
    <>
      {text.slice(0, at)}
      <code className="id">{id}</code>
      {text.slice(at + id.length)}
    </>
  );
}

const Timeline = ({ timeline, payments }: Pick<PersonProps, 'timeline' | 'payments'>) => (
  <section className="card">
    <h2>Timeline</h2>
    <ol className="timeline">
      {timeline.map(({ time, text }) => (
        <li key={time + text}>
          <Time at={time} /> <Told text={text} ids={payments.map(({ id }) => id)} />
        </li>
      ))}
    </ol>
    <p className="quiet">
      Visits to the site, and the people whom this person invited, are not listed.
    </p>
  </section>
);

/** Actions that affect other people or cannot be undone. */
const Careful = ({ base }: Based) => (
  <section className="card apart">
    <h2>Sensitive actions</h2>
    <ul className="rows">
      <li>
        <span>
          Only if somebody whom this person invited reported it: once you have checked the report,
          allow the account to invite again.
        </span>
        <span className="actions">
          <a href={`${base}/release`}>Release a reported account</a>
        </span>
      </li>
      <li>
        <span>Ends every renewal and deletes the account. This cannot be undone.</span>
        <span className="actions">
          <a className="danger" href={`${base}/delete`}>
            Delete personal data
          </a>
        </span>
      </li>
    </ul>
  </section>
);

export function PersonView(props: PersonProps) {
  const { notice, risks, account, email, facts } = props;
  const base = `/console/people/${account}`;
  return (
    <ConsoleLayout title={email} at="/console/people">
      {notice && <NoticeLine kind="done">{notice}</NoticeLine>}
      {risks.map((text) => (
        <NoticeLine key={text} kind="problem">
          {text}
        </NoticeLine>
      ))}
      <section className="card">
        <dl className="facts lead">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <div>
            <dt>Account</dt>
            <dd>
              <code className="id">{account}</code>
            </dd>
          </div>
        </dl>
        <p className="actions">
          <a href={`${base}/link`}>Resend the app link</a>
          <a href={`${base}/export`}>Export personal data</a>
        </p>
      </section>
      <Subscriptions {...props} base={base} />
      <Payments {...props} base={base} />
      <Timeline {...props} />
      <Careful base={base} />
    </ConsoleLayout>
  );
}
