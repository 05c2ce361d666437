import { ConsoleLayout, Notice } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { Table } from '../../parts/table.tsx';
import { PublishFields, type ScheduleFields } from '../../publishing/screens/scheduled.tsx';

interface Props extends ScheduleFields {
  changes: readonly { tag: string; key: string; before: string; after: string }[];
  differences: readonly string[];
  /** Languages whose translation becomes outdated. */
  behind: readonly string[];
  screens: readonly { id: string; address: string; words: string }[];
  /** Path of the script that highlights the new text. */
  script: string;
  /** Fields of the form that publishes. */
  fields: readonly (readonly [string, string])[];
  /** Target of Back; null if it opens the form again. */
  back: string | null;
  conflict: boolean;
  warnings: readonly string[];
  problem: string;
}

const Words = ({ tag, text }: { tag: string; text: string }) => (
  <span lang={tag} dir="auto">
    {text || 'empty'}
  </span>
);

function Changes({ changes, behind }: Pick<Props, 'changes' | 'behind'>) {
  return (
    <Table
      title="All changes"
      columns={['Language', 'Now', 'New', 'Key']}
      rows={changes.map(({ tag, key, before, after }) => ({
        name: tag,
        key: `${tag} ${key}`,
        cells: [
          <Words key="before" tag={tag} text={before} />,
          <Words key="after" tag={tag} text={after} />,
          key,
        ],
      }))}
      empty=""
    >
      {behind.length > 0 && (
        <p>
          <strong>{`These translations become outdated: ${behind.join(', ')}.`}</strong> Go back to
          change them too.
        </p>
      )}
    </Table>
  );
}

function PublishForm({
  fields,
  back,
  scheduleKey,
  earliest,
  zone,
  isEmpty,
}: Pick<Props, 'fields' | 'back' | keyof ScheduleFields> & { isEmpty: boolean }) {
  return (
    <form method="post" action="/console/texts/publish" className="beside">
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} defaultValue={value} />
      ))}
      {!isEmpty && (
        <PublishFields
          {...{ scheduleKey, earliest, zone }}
          scheduleAction="/console/texts/schedule"
        />
      )}
      {back ? (
        <a href={back}>Back</a>
      ) : (
        <button type="submit" className="secondary" formAction="/console/texts/edit" formNoValidate>
          Back
        </button>
      )}
    </form>
  );
}

export function TextReview(props: Props) {
  const { changes, differences, behind, screens, script } = props;
  const { conflict, warnings, problem } = props;
  const isEmpty = changes.length + differences.length === 0;
  return (
    <ConsoleLayout title="Review the texts" at="/console/texts">
      {problem && <Notice kind="problem">{problem}</Notice>}
      {conflict && (
        <Notice kind="problem">
          Somebody published other texts in the meantime. Your change was not published. It is shown
          below, compared with their version. Publishing it keeps their other texts.
        </Notice>
      )}
      {isEmpty && <p>Nothing changes: these texts are already live.</p>}
      {changes.length > 0 && <Changes changes={changes} behind={behind} />}
      {differences.length > 0 && (
        <section className="card">
          <h2>Claims and reviews</h2>
          <ul>
            {differences.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      )}
      {screens.length > 0 && (
        <Phones label="With the new texts" screens={screens} script={script} />
      )}
      {warnings.length > 0 && (
        <section className="card">
          <h2>Check before you publish</h2>
          <ul>
            {warnings.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      )}
      <PublishForm {...props} isEmpty={isEmpty} />
    </ConsoleLayout>
  );
}
