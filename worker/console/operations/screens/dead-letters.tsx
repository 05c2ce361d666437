import { Field, Hidden, SubmitButton } from '../../parts/field.tsx';
import { Scroll, Time } from '../../parts/layout.tsx';

export interface DeadLetterView {
  id: string;
  queue: string;
  reason: string;
  since: string;
  /** Null for a role that may not see people's data. */
  content: string | null;
}

interface Props {
  letters: readonly DeadLetterView[];
  mayOperate: boolean;
  actionKey: string;
}

export function DeadLetters({ letters, mayOperate, actionKey }: Props) {
  return (
    <Scroll label="Dead letters">
      <h2 id="dead-letters">Dead letters: messages that failed permanently</h2>
      <p className="quiet">
        Messages that failed after all retries, and payments that need an operator. Fix the cause
        first, then replay them. A message that is replayed twice takes effect once.
      </p>
      {letters.map(({ id, queue, reason, since, content }) => (
        <details key={id}>
          <summary>
            {`${queue}, since `}
            <Time at={since} />
            {`: ${reason}`}
          </summary>
          {content === null ? (
            <p className="quiet">Your role cannot see the content of messages.</p>
          ) : (
            <pre>{content}</pre>
          )}
          {mayOperate && (
            <form method="post" action="/console/operations/replay" className="beside">
              <Hidden fields={{ id, key: actionKey }} />
              <Field label="Reason" name="reason" required maxLength={500} />
              <SubmitButton>Replay</SubmitButton>
            </form>
          )}
        </details>
      ))}
    </Scroll>
  );
}
