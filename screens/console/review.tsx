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
  /** What goes away, in words. */
  gone: readonly string[];
  /** Whether the change goes back to an earlier version. */
  isVersion: boolean;
  /** How many visitors and days it takes to find a difference, one sentence a lift. */
  estimates: readonly string[];
  /** What somebody else published since the editor started. */
  conflict: { who: string; time: string; differences: readonly string[] } | null;
  /** Why it was not scheduled. */
  problem: string;
  /** Whether the experiment has another name, so that nobody keeps a variant. */
  isRenamed: boolean;
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
  const { problem, scheduleKey, earliest, zone, isRenamed, back, gone, isVersion } = props;
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
      {gone.length > 0 && (
        <Notice kind="problem">
          <h2>This goes away</h2>
          <List lines={gone} />
          {isVersion && (
            <p>
              Going back undoes every later change, not the experiment alone. To keep these, change
              the shares under <a href="/console/experiments">Experiments</a> instead.
            </p>
          )}
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
            {!isRenamed && 'Only new visitors are drawn: whoever has a variant keeps it. '}
            The change is live within about a minute.
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
            At the traffic of the last seven whole days (UTC), for one look at the end that finds
            such a rise in four of five tests and errs in one of twenty.
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
              formNoValidate
            >
              Look at the screens in a new tab
            </button>
          </>
        )}
        {forms.includes(back) ? (
          <button type="submit" className="secondary" formAction={back} formNoValidate>
            Back
          </button>
        ) : (
          <a href={back}>Back</a>
        )}
      </form>
    </ConsoleLayout>
  );
}
