import type { ReactNode } from 'react';
import { Hidden, SecondButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { PublishFields, type ScheduleFields } from './scheduled.tsx';

/** A publication by somebody else since the editor started. */
export interface Conflict {
  who: string;
  time: string;
  differences: readonly string[];
}

export interface ReviewFrameProps {
  title: string;
  at: string;
  action: string;
  fields: readonly (readonly [string, string])[];
  back: string;
  isForm: boolean;
  /** Whether the form carries whole documents, which replace those of a conflict. */
  isWhole: boolean;
  preview?: ReactNode;
  conflict: Conflict | null;
  problem: string;
  warnings: readonly string[];
  schedule: ScheduleFields;
  isEmpty: boolean;
  /** What visitors will see, beside the change. */
  phone?: ReactNode;
  children: ReactNode;
}

function ConflictNotice({
  conflict: { who, time, differences },
  isWhole,
  back,
}: { conflict: Conflict } & Pick<ReviewFrameProps, 'isWhole' | 'back'>) {
  return (
    <NoticeLine kind="problem">
      <p>
        {`${who} published another version at ${time}. Your change was not published. Their changes:`}
      </p>
      <Lines lines={differences} />
      {isWhole ? (
        <p>
          Your changes, compared with their version, are below. Publishing yours replaces theirs.{' '}
          <a href={back}>Start over from their version</a>
        </p>
      ) : (
        <p>
          Your change, compared with their version, is below. Publishing it keeps their other
          changes.
        </p>
      )}
    </NoticeLine>
  );
}

function PublishForm(props: ReviewFrameProps) {
  const { action, fields, schedule, back, isForm, isEmpty, preview } = props;
  return (
    <form id="publish" method="post" action={`${action}/publish`} className="card publish">
      <Hidden fields={Object.fromEntries(fields)} />
      {!isEmpty && (
        <>
          <h2>Publish</h2>
          <PublishFields {...schedule} scheduleAction={`${action}/schedule`} />
          {preview}
        </>
      )}
      {isForm ? (
        <SecondButton formAction={back} formNoValidate>
          Back
        </SecondButton>
      ) : (
        <a href={back}>Back</a>
      )}
    </form>
  );
}

/** A change before it is published, with what was published or scheduled meanwhile. */
export function ReviewFrame(props: ReviewFrameProps) {
  const { title, at, problem, conflict, warnings, phone, children } = props;
  return (
    <ConsoleLayout title={title} at={at}>
      {problem && <NoticeLine kind="problem">{problem}</NoticeLine>}
      {conflict && <ConflictNotice {...props} conflict={conflict} />}
      <div className={phone ? 'with-phone' : undefined}>
        <div>{children}</div>
        {phone && <div className="stays">{phone}</div>}
        <div>
          {warnings.length > 0 && (
            <NoticeLine kind="caution">
              <h2>Check before you publish</h2>
              <Lines lines={warnings} />
            </NoticeLine>
          )}
          <PublishForm {...props} />
        </div>
      </div>
    </ConsoleLayout>
  );
}
