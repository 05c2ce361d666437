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
      <form method="post" action="/console/people" className="beside search">
        <label className="field">
          <span>Email or its beginning, coupon code, or ID of a payment, attempt or account</span>
          <input name="text" autoComplete="off" defaultValue={text} required />
        </label>
        <button type="submit">Find</button>
      </form>
      {found === null && (
        <p className="quiet">
          The page of a person shows subscriptions, payments and what happened. From there you can
          refund, end renewals, resend a receipt, and export or delete personal data.
        </p>
      )}
      {found?.length === 0 && (
        <p>No account was found. Try the beginning of the email, or a payment’s ID.</p>
      )}
      {isFull && <p>Only the first 20 results are shown. Type more of the email.</p>}
      <ul className="rows">
        {found?.map(({ account, email, what, time }) => (
          <li key={account}>
            <a href={`/console/people/${account}`}>{email || 'deleted account'}</a>
            {time && (
              <span>
                {` ${what} `}
                <Time at={time} />
              </span>
            )}
          </li>
        ))}
      </ul>
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
  isFinal: boolean;
}

export function Action(props: ActionProps) {
  const { title, explanation, action, back, button, actionKey } = props;
  const { amount, reason, problem, isFinal } = props;
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
              <button type="submit" className={isFinal ? 'danger' : undefined}>
                {button}
              </button>
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
