import { type Entry, EntryList } from '../../parts/entry-list.tsx';
import { Field, Hidden } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';

interface SearchProps {
  /** Empty before a search; then the rows are the latest payments. */
  text: string;
  rows: readonly Entry[];
  /** Whether there may be more results. */
  isFull: boolean;
}

export function PeopleSearch({ text, rows, isFull }: SearchProps) {
  return (
    <ConsoleLayout title="People" at="/console/people">
      <form method="post" action="/console/people" className="beside search">
        <Field
          label="Find a person"
          name="text"
          autoComplete="off"
          defaultValue={text}
          required
          placeholder="Email, coupon, or ID of a payment"
        />
        <button type="submit">Find</button>
      </form>
      <p className="quiet">
        The beginning of an email is enough. The ID can be of a payment, an attempt or an account.
      </p>
      <section className="card">
        <h2>{text ? `Found for “${text}”` : 'Latest payments'}</h2>
        {rows.length === 0 && (
          <p className="quiet">
            {text
              ? 'No account was found. Try the beginning of the email, or a payment’s ID.'
              : 'Nobody has paid yet.'}
          </p>
        )}
        <EntryList entries={rows} />
        {isFull && (
          <p className="quiet">Only the first 20 results are shown. Type more of the email.</p>
        )}
      </section>
    </ConsoleLayout>
  );
}

export interface ActionProps {
  title: string;
  explanation: readonly string[];
  /** Path that the form is posted to. */
  action: string;
  /** Page of the person, and its name. */
  back: string;
  person: string;
  button: string;
  /** One key acts once, however often the form is sent. */
  actionKey: string;
  /** A fixed amount can only be sent again unchanged. */
  amount: { label: string; value: string; isFixed: boolean } | null;
  reason: string;
  problem: string;
  /** Typed to confirm what cannot be undone; empty where nothing is asked. */
  typed: string;
}

const trailOf = ({ back, person }: Pick<ActionProps, 'back' | 'person'>) =>
  [[person, back]] as const;

export function Action(props: ActionProps) {
  const { title, explanation, action, back, button, actionKey } = props;
  const { amount, reason, problem, typed } = props;
  return (
    <ConsoleLayout title={title} at="/console/people" trail={trailOf(props)}>
      {problem && <NoticeLine kind="problem">{problem}</NoticeLine>}
      <section className="card narrow">
        {explanation.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {button === '' ? (
          <a href={back}>Back to the person</a>
        ) : (
          <form method="post" action={action} className="lines">
            <input type="hidden" name="key" defaultValue={actionKey} />
            {amount && (
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
            )}
            <label className="field">
              <span>Reason</span>
              <input name="reason" required maxLength={500} defaultValue={reason} />
              <small>For the audit. The person does not see it.</small>
            </label>
            {typed && (
              <label className="field">
                <span>
                  Type <b>{typed}</b> to confirm
                </span>
                <input name="typed" required autoComplete="off" spellCheck={false} />
              </label>
            )}
            {typed && <p className="problem-text">This cannot be undone.</p>}
            <div className="beside">
              <button type="submit" className={typed ? 'danger' : undefined}>
                {button}
              </button>
              <a href={back}>Back to the person</a>
            </div>
          </form>
        )}
      </section>
    </ConsoleLayout>
  );
}

interface ConfirmProps
  extends Pick<ActionProps, 'title' | 'explanation' | 'action' | 'back' | 'person' | 'button'> {
  sent: { key: string; amount: string; reason: string };
}

/** The button's label includes the amount. */
export function ConfirmAmount(props: ConfirmProps) {
  const { title, explanation, action, button, sent } = props;
  return (
    <ConsoleLayout title={title} at="/console/people" trail={trailOf(props)}>
      <section className="card narrow">
        {explanation.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <p>{`Reason: ${sent.reason}. The buyer does not see it.`}</p>
        <form method="post" action={action} className="beside">
          <Hidden fields={sent} />
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
