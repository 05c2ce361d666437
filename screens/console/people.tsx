import type { ConsolePerson } from './layout.tsx';
import { ConsoleLayout, Notice, Time } from './layout.tsx';

interface SearchProps {
  person: ConsolePerson;
  /** As it was typed; empty before. */
  searched: string;
  found: readonly { account: string; email: string; time: string }[];
}

/** The text to find is posted, because an e-mail address belongs in no URL. */
export function PeopleSearch({ person, searched, found }: SearchProps) {
  return (
    <ConsoleLayout title="People" at="/console/people" person={person}>
      <form method="post" action="/console/people" className="beside">
        <label className="field">
          <span>Email, payment, attempt or account</span>
          <input name="text" autoComplete="off" defaultValue={searched} required />
        </label>
        <button type="submit">Find</button>
      </form>
      {searched !== '' && found.length === 0 && (
        <p>Nobody was found. Write the whole address or id.</p>
      )}
      <ul>
        {found.map(({ account, email, time }) => (
          <li key={account}>
            <a href={`/console/people/${account}`}>{email || 'deleted account'}</a>
            {time && (
              <>
                {' signed up '}
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
  person: ConsolePerson;
  notice: string;
  account: string;
  /** Names and values, such as Email. */
  facts: readonly (readonly [string, string])[];
  subscriptions: readonly { attempt: string; text: string; mayEnd: boolean }[];
  payments: readonly { id: string; text: string; mayRefund: boolean; hasReceipt: boolean }[];
  timeline: readonly { time: string; text: string }[];
}

export function Person(props: PersonProps) {
  const { person, notice, account, facts, subscriptions, payments, timeline } = props;
  const base = `/console/people/${account}`;
  return (
    <ConsoleLayout title="Person" at="/console/people" person={person}>
      {notice && <Notice kind="done">{notice}</Notice>}
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
      <section className="card">
        <h2>Subscriptions</h2>
        {subscriptions.length === 0 && <p>None.</p>}
        <ul>
          {subscriptions.map(({ attempt, text, mayEnd }) => (
            <li key={attempt}>
              {text} {mayEnd && <a href={`${base}/end/${attempt}`}>End renewals</a>}
            </li>
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>Payments</h2>
        {payments.length === 0 && <p>None.</p>}
        <ul>
          {payments.map(({ id, text, mayRefund, hasReceipt }) => (
            <li key={id}>
              {text} {mayRefund && <a href={`${base}/refund/${id}`}>Refund</a>}{' '}
              {hasReceipt && <a href={`${base}/receipt/${id}`}>Send the receipt again</a>}
            </li>
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>Timeline</h2>
        <ol className="timeline">
          {timeline.map(({ time, text }) => (
            <li key={time + text}>
              <Time at={time} /> {text}
            </li>
          ))}
        </ol>
        <p className="quiet">Visits and who was asked are not shown.</p>
      </section>
      <section className="card">
        <h2>Actions</h2>
        <ul>
          <li>
            <a href={`${base}/link`}>Send the link into the app again</a>
          </li>
          <li>
            <a href={`${base}/release`}>Release a requester who was reported</a>
          </li>
          <li>
            <a href={`${base}/export`}>Export personal data</a>
          </li>
          <li>
            <a href={`${base}/delete`}>Delete personal data</a>
          </li>
        </ul>
      </section>
    </ConsoleLayout>
  );
}

export interface ActionProps {
  person: ConsolePerson;
  title: string;
  /** What the action will do. */
  explanation: readonly string[];
  /** Path that the form is posted to. */
  action: string;
  back: string;
  button: string;
  /** One key acts once, however often the form is sent. */
  actionKey: string;
  amount: { label: string; value: string } | null;
  /** As it was sent before. */
  reason: string;
  problem: string;
}

/** Says what an action will do, and asks for the reason. */
export function Action(props: ActionProps) {
  const { person, title, explanation, action, back, button, actionKey, amount, reason, problem } =
    props;
  return (
    <ConsoleLayout title={title} at="/console/people" person={person}>
      {problem && <Notice kind="problem">{problem}</Notice>}
      <section className="card">
        {explanation.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <form method="post" action={action}>
          <input type="hidden" name="key" defaultValue={actionKey} />
          {amount && (
            <p>
              <label className="field">
                <span>{amount.label}</span>
                <input name="amount" inputMode="decimal" defaultValue={amount.value} required />
              </label>
            </p>
          )}
          <p>
            <label className="field">
              <span>Reason</span>
              <input name="reason" defaultValue={reason} required maxLength={500} />
            </label>
          </p>
          <div className="beside">
            <button type="submit">{button}</button>
            <a href={back}>Back</a>
          </div>
        </form>
      </section>
    </ConsoleLayout>
  );
}
