import { ConsoleLayout, NoticeLine, Time } from '../../parts/layout.tsx';

interface SearchProps {
  text: string;
  /** Null before a search. */
  found: readonly { account: string; email: string; what: string; time: string }[] | null;
  /** Whether there may be more results. */
  isFull: boolean;
}

/** The search text is posted, because an e-mail address must not be in a URL. */
export function PeopleSearch({ text, found, isFull }: SearchProps) {
  return (
    <ConsoleLayout title="People" at="/console/people">
      <form method="post" action="/console/people" className="beside">
        <label className="field">
          <span>Email or its beginning, coupon code, or ID of a payment, attempt or account</span>
          <input name="text" autoComplete="off" defaultValue={text} required />
        </label>
        <button type="submit">Find</button>
      </form>
      {found?.length === 0 && <p>No account was found.</p>}
      {isFull && <p>Only the first 20 results are shown.</p>}
      <ul>
        {found?.map(({ account, email, what, time }) => (
          <li key={account}>
            <a href={`/console/people/${account}`}>{email || 'deleted account'}</a>
            {time && (
              <>
                {` ${what} `}
                <Time at={time} />
              </>
            )}
          </li>
        ))}
      </ul>
    </ConsoleLayout>
  );
}

export interface PersonProps {
  notice: string;
  /** Fraud warnings and open disputes, with the first step to take. */
  risks: readonly string[];
  /** Actions that are impossible with sample data; empty where the data is real. */
  sample: string;
  account: string;
  facts: readonly (readonly [string, string])[];
  subscriptions: readonly { attempt: string; text: string; mayEnd: boolean }[];
  payments: readonly {
    id: string;
    text: string;
    /** The refundable amount, and the buyer's deadline to claim it. */
    rights: string;
    mayRefund: boolean;
    hasReceipt: boolean;
  }[];
  timeline: readonly { time: string; text: string }[];
}

/** The address of the person's page. */
type Based = { base: string };

function Subscriptions({ subscriptions, base }: Pick<PersonProps, 'subscriptions'> & Based) {
  return (
    <section className="card">
      <h2>Subscriptions</h2>
      {subscriptions.length === 0 && <p>None.</p>}
      <ul className="rows">
        {subscriptions.map(({ attempt, text, mayEnd }) => (
          <li key={attempt}>
            <span>{text}</span>
            {mayEnd && (
              <span className="actions">
                <a href={`${base}/end/${attempt}`}>End renewals</a>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Payments({ payments, sample, base }: Pick<PersonProps, 'payments' | 'sample'> & Based) {
  return (
    <section className="card">
      <h2>Payments</h2>
      {payments.length === 0 && <p>None.</p>}
      {sample && <p>{sample}</p>}
      <ul className="rows">
        {payments.map(({ id, text, rights, mayRefund, hasReceipt }) => (
          <li key={id}>
            <span>
              {text} <span className="soft">{rights}</span>
            </span>
            {(mayRefund || hasReceipt) && (
              <span className="actions">
                {mayRefund && <a href={`${base}/refund/${id}`}>Refund</a>}
                {hasReceipt && <a href={`${base}/receipt/${id}`}>Resend the receipt</a>}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Actions({ base }: Based) {
  return (
    <section className="card">
      <h2>Account</h2>
      <p className="actions">
        <a href={`${base}/link`}>Resend the app link</a>
        <a href={`${base}/release`}>Release the account after a report</a>
        <a href={`${base}/export`}>Export personal data</a>
        <a href={`${base}/delete`}>Delete personal data</a>
      </p>
    </section>
  );
}

export function PersonView(props: PersonProps) {
  const { notice, risks, sample, account, facts, subscriptions, payments, timeline } = props;
  const base = `/console/people/${account}`;
  return (
    <ConsoleLayout title="Person" at="/console/people">
      {notice && <NoticeLine kind="done">{notice}</NoticeLine>}
      {risks.map((text) => (
        <NoticeLine key={text} kind="problem">
          {text}
        </NoticeLine>
      ))}
      <section className="card">
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Subscriptions subscriptions={subscriptions} base={base} />
      <Payments payments={payments} sample={sample} base={base} />
      <Actions base={base} />
      <section className="card">
        <h2>Timeline</h2>
        <ol className="timeline">
          {timeline.map(({ time, text }) => (
            <li key={time + text}>
              <Time at={time} /> {text}
            </li>
          ))}
        </ol>
        <p className="quiet">
          Visits to the site, and the people whom this person invited, are not listed.
        </p>
      </section>
    </ConsoleLayout>
  );
}

export interface ActionProps {
  title: string;
  explanation: readonly string[];
  /** Path that the form is posted to. */
  action: string;
  back: string;
  button: string;
  /** One key acts once, however often the form is sent. */
  actionKey: string;
  /** A fixed amount can only be sent again unchanged. */
  amount: { label: string; value: string; isFixed: boolean } | null;
  reason: string;
  problem: string;
}

export function Action(props: ActionProps) {
  const { title, explanation, action, back, button, actionKey } = props;
  const { amount, reason, problem } = props;
  return (
    <ConsoleLayout title={title} at="/console/people">
      {problem && <NoticeLine kind="problem">{problem}</NoticeLine>}
      <section className="card">
        {explanation.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {button === '' ? (
          <a href={back}>Back</a>
        ) : (
          <form method="post" action={action}>
            <input type="hidden" name="key" defaultValue={actionKey} />
            {amount && (
              <p>
                <label className="field">
                  <span>{amount.label}</span>
                  <input
                    name="amount"
                    inputMode="decimal"
                    defaultValue={amount.value}
                    readOnly={amount.isFixed}
                    required
                  />
                </label>
              </p>
            )}
            <p>
              <label className="field">
                <span>Reason</span>
                <input name="reason" required maxLength={500} defaultValue={reason} />
              </label>
            </p>
            <div className="beside">
              <button type="submit">{button}</button>
              <a href={back}>Back</a>
            </div>
          </form>
        )}
      </section>
    </ConsoleLayout>
  );
}

interface ConfirmProps {
  title: string;
  explanation: readonly string[];
  action: string;
  /** Its label includes the amount. */
  button: string;
  sent: { key: string; amount: string; reason: string };
}

export function ConfirmAmount({ title, explanation, action, button, sent }: ConfirmProps) {
  return (
    <ConsoleLayout title={title} at="/console/people">
      <section className="card">
        {explanation.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <p>{`Reason: ${sent.reason}. The buyer does not see it.`}</p>
        <form method="post" action={action} className="beside">
          {Object.entries(sent).map(([name, value]) => (
            <input key={name} type="hidden" name={name} defaultValue={value} />
          ))}
          <button type="submit" name="step" value="confirmed">
            {button}
          </button>
          <button type="submit" name="step" value="change" className="secondary">
            Change
          </button>
        </form>
      </section>
    </ConsoleLayout>
  );
}
