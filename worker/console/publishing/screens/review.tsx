import { ConsoleLayout, Notice } from '../../parts/layout.tsx';
import { PublishFields, type ScheduleFields } from './scheduled.tsx';

export interface ReviewProps extends ScheduleFields {
  base: string;
  documents: { config: string; flows: string };
  /** Descriptions of what changes for new visitors. */
  sentences: readonly string[];
  differences: readonly string[];
  warnings: readonly string[];
  removals: readonly string[];
  /** Whether the change is a rollback to an earlier version. */
  isVersion: boolean;
  /** The visitors and days needed to detect a difference, one sentence per lift. */
  estimates: readonly string[];
  /** A publication by somebody else since the editor started. */
  conflict: { who: string; time: string; differences: readonly string[] } | null;
  problem: string;
  /** Whether the experiment was renamed, so that all visitors are assigned again. */
  isRenamed: boolean;
  /** URL of the form with the change. */
  back: string;
}

const List = ({ lines }: { lines: readonly string[] }) => (
  <ul>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

/** These forms accept the reviewed documents for further editing. */
const forms = ['/console/experiments', '/console/documents'];

function Conflict({
  conflict,
  back,
}: {
  conflict: NonNullable<ReviewProps['conflict']>;
  back: string;
}) {
  return (
    <Notice kind="problem">
      <p>
        {`${conflict.who} published another version at ${conflict.time}. Your change was not published. Their changes:`}
      </p>
      <List lines={conflict.differences} />
      <p>
        Your changes, compared with their version, are below. Publishing yours replaces theirs.{' '}
        <a href={back}>Start over from their version</a>
      </p>
    </Notice>
  );
}

function Removals({ removals, isVersion }: Pick<ReviewProps, 'removals' | 'isVersion'>) {
  return (
    <Notice kind="problem">
      <h2>What this change removes or replaces</h2>
      <List lines={removals} />
      {isVersion && (
        <p>
          A rollback undoes every later change, not only those of the experiment. To keep them,
          change the shares under <a href="/console/experiments">Experiments</a> instead.
        </p>
      )}
    </Notice>
  );
}

const changesNothing = ({ differences }: Pick<ReviewProps, 'differences'>) =>
  differences.length === 0;

function Effect(props: Pick<ReviewProps, 'differences' | 'sentences' | 'isRenamed'>) {
  const { sentences, isRenamed } = props;
  const isEmpty = changesNothing(props);
  return (
    <section className="card">
      <h2>Effect on visitors</h2>
      {isEmpty ? (
        <p>Nothing changes: these documents are already live.</p>
      ) : (
        <List
          lines={
            sentences.length > 0
              ? sentences
              : ['Shares and flows of the variants stay the same. All changes are listed below.']
          }
        />
      )}
      {!isEmpty && (
        <p className="quiet">
          {!isRenamed && 'Only new visitors are assigned; returning visitors keep their variant. '}
          The change is live within about a minute.
        </p>
      )}
    </section>
  );
}

function PublishForm(props: ReviewProps) {
  const { base, documents, scheduleKey, earliest, zone, back } = props;
  return (
    <form method="post" action="/console/publish" className="beside">
      <input type="hidden" name="base" defaultValue={base} />
      <input type="hidden" name="config" defaultValue={documents.config} />
      <input type="hidden" name="flows" defaultValue={documents.flows} />
      {!changesNothing(props) && (
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
            Preview the screens in a new tab
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
  );
}

/** Shows the effect of a publication before it is made. */
export function Review(props: ReviewProps) {
  const { differences, warnings, estimates, conflict, problem, back, removals, isVersion } = props;
  const isEmpty = changesNothing(props);
  return (
    <ConsoleLayout title="Review the change" at={back.replace('documents', 'offers')}>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {conflict && <Conflict conflict={conflict} back={back} />}
      {removals.length > 0 && <Removals removals={removals} isVersion={isVersion} />}
      <Effect {...props} />
      {!isEmpty && (
        <section className="card">
          <h2>All changes</h2>
          <List lines={differences} />
        </section>
      )}
      {!isEmpty && estimates.length > 0 && (
        <section className="card">
          <h2>How long the test will take</h2>
          <List lines={estimates} />
          <p className="quiet">
            Based on the traffic of the last seven full days (UTC), for one evaluation at the end.
            It detects such a rise in 80 % of tests (power), with an error rate of 5 %
            (significance).
          </p>
        </section>
      )}
      {warnings.length > 0 && (
        <section className="card">
          <h2>Check before you publish</h2>
          <List lines={warnings} />
        </section>
      )}
      <PublishForm {...props} />
    </ConsoleLayout>
  );
}
