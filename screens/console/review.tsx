import type { ConsolePerson } from './layout.tsx';
import { ConsoleLayout, Notice } from './layout.tsx';
import { PublishFields, type ScheduleFields } from './scheduled.tsx';

export interface ReviewProps extends ScheduleFields {
  person: ConsolePerson;
  base: string;
  documents: { config: string; flows: string };
  /** What changes for new visitors, in words. */
  sentences: readonly string[];
  /** Every change, field by field. */
  differences: readonly string[];
  warnings: readonly string[];
  /** How many visitors and days it takes to find a difference, one sentence a lift. */
  estimates: readonly string[];
  /** What somebody else published since the editor started. */
  conflict: { who: string; time: string; differences: readonly string[] } | null;
  /** Why it was not scheduled. */
  problem: string;
  /** What is drawn anew when the experiment has another name; empty when visitors keep their variants. */
  renamed: string;
  /** Where the change was made. */
  back: string;
}

const List = ({ lines }: { lines: readonly string[] }) => (
  <ul>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

/** These take the documents back as they were reviewed. */
const forms = ['/console/experiments', '/console/documents'];

/** What a publication will do, before it is done. */
export function Review(props: ReviewProps) {
  const { person, base, documents, sentences, differences, warnings, estimates, conflict } = props;
  const { problem, scheduleKey, earliest, zone, renamed, back } = props;
  const isEmpty = differences.length === 0;
  return (
    <ConsoleLayout
      title="Review the change"
      at={back.replace('documents', 'offers')}
      person={person}
    >
      {problem && <Notice kind="problem">{problem}</Notice>}
      {conflict && (
        <Notice kind="problem">
          <p>
            {`${conflict.who} published another version at ${conflict.time}. Nothing of yours was published yet. They changed:`}
          </p>
          <List lines={conflict.differences} />
          <p>
            Below is what your version changes now. Publishing it replaces theirs.{' '}
            <a href={back}>Begin again from their version</a>
          </p>
        </Notice>
      )}
      <section className="card">
        <h2>For visitors</h2>
        {isEmpty ? (
          <p>Nothing changes: these documents are live already.</p>
        ) : (
          <List
            lines={
              sentences.length > 0
                ? sentences
                : ['The shares and flows of variants stay; see every change below.']
            }
          />
        )}
        {!isEmpty && (
          <p className="quiet">
            {renamed ||
              'A visitor who has a variant keeps it. New visitors get the change within about a minute.'}
          </p>
        )}
      </section>
      {!isEmpty && (
        <section className="card">
          <h2>Every change</h2>
          <List lines={differences} />
        </section>
      )}
      {!isEmpty && estimates.length > 0 && (
        <section className="card">
          <h2>How long the test takes</h2>
          <List lines={estimates} />
          <p className="quiet">
            At the traffic of the last seven days, for one look at the end that finds such a rise in
            four of five tests and errs in one of twenty. The intervals under Experiments may be
            read every day; they need somewhat longer.
          </p>
        </section>
      )}
      {warnings.length > 0 && (
        <section className="card">
          <h2>Check before you publish</h2>
          <List lines={warnings} />
        </section>
      )}
      <form method="post" action="/console/publish" className="beside">
        <input type="hidden" name="base" defaultValue={base} />
        <input type="hidden" name="config" defaultValue={documents.config} />
        <input type="hidden" name="flows" defaultValue={documents.flows} />
        {!isEmpty && (
          <>
            <PublishFields
              scheduleKey={scheduleKey}
              earliest={earliest}
              zone={zone}
              scheduleAction="/console/schedule"
            />
            <button
              type="submit"
              className="secondary"
              formAction="/console/preview"
              formTarget="_blank"
            >
              Look at the screens in a new tab
            </button>
          </>
        )}
        {forms.includes(back) ? (
          <button type="submit" className="secondary" formAction={back}>
            Back
          </button>
        ) : (
          <a href={back}>Back</a>
        )}
      </form>
    </ConsoleLayout>
  );
}
