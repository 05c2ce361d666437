import { CheckField, Field, Hidden, SecondButton, SubmitButton } from '../../parts/field.tsx';
import { NoticeLine, useMayPublish } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { Table } from '../../parts/table.tsx';

interface Row {
  id: string;
  time: string;
  who: string;
  reason: string;
  state: string;
  note: string;
  differences: readonly string[];
}

export interface ScheduledProps {
  notice: string;
  /** Null while D1 does not respond. */
  scheduled: readonly Row[] | null;
}

interface Props extends ScheduledProps {
  kind: 'config' | 'content';
}

/** Pending publications, and the results of earlier ones. */
export function Scheduled({ notice, scheduled, kind }: Props) {
  const mayPublish = useMayPublish();
  if (scheduled?.length === 0 && !notice) return null;
  return (
    <>
      {notice && <NoticeLine kind="done">{notice}</NoticeLine>}
      <Table
        title="Scheduled publications"
        stacks
        columns={['At', 'State', 'Action', 'By', 'Changes']}
        rows={(scheduled ?? []).map(({ id, time, who, reason, state, note, differences }) => ({
          name: time,
          key: id,
          cells: [
            <>
              <span className="chip">{state}</span> {note}
            </>,
            state === 'waiting' && mayPublish && (
              <form key="cancel" method="post" action="/console/schedule/cancel">
                <Hidden fields={{ id, kind }} />
                <SecondButton aria-label={`Cancel ${time}`}>Cancel</SecondButton>
              </form>
            ),
            reason ? `${who}: ${reason}` : who,
            <Lines key="changes" lines={differences} isPlain />,
          ],
        }))}
        empty={scheduled ? 'None.' : 'The database does not respond.'}
      />
    </>
  );
}

export interface ScheduleFields {
  /** Idempotency key: a repeated form schedules once. */
  scheduleKey: string;
  /** The earliest time that can be chosen, such as `2026-12-01T09:00`. */
  earliest: string;
  /** Time zone of the input; it is sent along, because another tab may change the person's zone. */
  zone: string;
  /** One to start from. */
  reason?: string;
  /** Whether visitors in a holdout keep the live documents' earlier versions. */
  hasHoldout?: boolean;
}

interface PublishProps extends ScheduleFields {
  scheduleAction: string;
}

/** The reason, and whether to publish now or at a time; the other button is hidden. */
export const PublishFields = ({
  scheduleKey,
  earliest,
  zone,
  reason,
  hasHoldout = false,
  scheduleAction,
}: PublishProps) => (
  <>
    <Field
      label="Reason"
      note="For the audit."
      name="reason"
      defaultValue={reason}
      maxLength={500}
      required
    />
    {hasHoldout && (
      <CheckField
        type="checkbox"
        name="fix"
        value="on"
        isChosen={false}
        label="Law or safety asks for it: the holdout gets it, too"
      />
    )}
    <div className="beside when">
      <CheckField type="radio" name="when" value="now" isChosen label="Now" />
      <CheckField type="radio" name="when" value="later" isChosen={false} label="At a time" />
      <Hidden fields={{ once: scheduleKey, zone }} />
      <Field label={`Publish at (${zone})`} type="datetime-local" name="at" min={earliest} />
    </div>
    <SubmitButton className="now">Publish</SubmitButton>
    <SubmitButton className="later" formAction={scheduleAction}>
      Schedule
    </SubmitButton>
  </>
);
