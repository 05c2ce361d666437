import { type Entry, EntryList } from '../../parts/entry-list.tsx';
import { Field, Hidden, SecondButton, SubmitButton } from '../../parts/field.tsx';
import { wholeText } from '../../parts/figure-text.ts';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';

interface SearchProps {
  /** Empty before a search; then the rows are the latest payments. */
  text: string;
  rows: readonly Entry[];
  page: number;
  pageSize: number;
  total: number;
  isCut: boolean;
}

function Pages({ text, rows, page, pageSize, total, isCut }: SearchProps) {
  const first = page * pageSize;
  const to = (next: number, label: string) => (
    <SecondButton name="page" value={next}>
      {label}
    </SecondButton>
  );
  return (
    <form method="post" action="/console/people" className="beside pages">
      <Hidden fields={{ text }} />
      <span className="quiet">
        {`${first + 1}–${first + rows.length} of ${isCut ? 'more than ' : ''}${wholeText(total)}.`}
        {isCut && ' Type more of the email to find the others.'}
      </span>
      {page > 0 && to(page - 1, 'Newer')}
      {first + rows.length < total && to(page + 1, 'Older')}
    </form>
  );
}

const latestHeads = ['Paid at', 'Email', 'Plan and country', 'Payment', 'Amount'];
const foundHeads = ['Since', 'Email', 'Plan and country', 'Status', 'Net paid'];

export function PeopleSearch(props: SearchProps) {
  const { text, rows } = props;
  return (
    <ConsoleLayout title="People" at="/console/people">
      <form method="post" action="/console/people" className="beside search">
        <Field
          label="Find a person"
          name="text"
          autoComplete="off"
          defaultValue={text}
          required
          placeholder="Email, coupon or ID"
        />
        <SubmitButton>Find</SubmitButton>
      </form>
      <section className="card">
        <h2>{text ? `Found for “${text}”, newest first` : 'Latest payments'}</h2>
        {rows.length === 0 && (
          <p className="quiet">
            {text
              ? 'No account was found. Try the beginning of the email, or a payment’s ID.'
              : 'Nobody has paid yet.'}
          </p>
        )}
        <EntryList entries={rows} heads={text ? foundHeads : latestHeads} />
        {text && rows.length > 0 && <Pages {...props} />}
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

/** A line of several parts has its own heading, and each part stands alone. */
const Explanation = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => {
    const [heading = '', ...parts] = line.split('\n');
    if (parts.length === 0) return <p key={line}>{line}</p>;
    return (
      <section key={line}>
        <h2>{heading}</h2>
        <Lines lines={parts} />
      </section>
    );
  });

export function Action(props: ActionProps) {
  const { title, explanation, action, back, button, actionKey } = props;
  const { amount, reason, problem, typed } = props;
  return (
    <ConsoleLayout title={title} at="/console/people" trail={trailOf(props)}>
      {problem && <NoticeLine kind="problem">{problem}</NoticeLine>}
      <section className="card narrow">
        <Explanation lines={explanation} />
        {button === '' ? (
          <a href={back}>Back to the person</a>
        ) : (
          <form method="post" action={action} className="lines">
            <Hidden fields={{ key: actionKey }} />
            {amount && (
              <Field
                label={amount.label}
                name="amount"
                inputMode="decimal"
                defaultValue={amount.value}
                readOnly={amount.isFixed}
                required
              />
            )}
            <Field
              label="Reason"
              note="For the audit. The person does not see it."
              name="reason"
              required
              maxLength={500}
              defaultValue={reason}
            />
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
              <SubmitButton className={typed ? 'danger' : undefined}>{button}</SubmitButton>
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
        <Explanation lines={explanation} />
        <p>{`Reason: ${sent.reason}. The buyer does not see it.`}</p>
        <form method="post" action={action} className="beside">
          <Hidden fields={sent} />
          <SubmitButton name="step" value="confirmed">
            {button}
          </SubmitButton>
          <SecondButton name="step" value="change">
            Change
          </SecondButton>
        </form>
      </section>
    </ConsoleLayout>
  );
}
