import { Estimates } from '../../experiments/screens/estimates.tsx';
import { SecondButton } from '../../parts/field.tsx';
import { NoticeLine } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { screenName } from '../../parts/rules/screen-names.ts';
import type { FlowChange } from '../rules/review-notes.ts';
import { ReviewFrame, type ReviewFrameProps } from './review-frame.tsx';

export interface ReviewProps
  extends Pick<
    ReviewFrameProps,
    'fields' | 'back' | 'isForm' | 'conflict' | 'problem' | 'warnings' | 'schedule'
  > {
  /** Descriptions of what changes for new visitors. */
  sentences: readonly string[];
  flows: readonly FlowChange[];
  affects: readonly string[];
  differences: readonly string[];
  sale: readonly string[];
  /** What to create at a provider that does not let us. */
  byHand: readonly string[];
  removals: readonly string[];
  /** Whether the change is a rollback to an earlier version. */
  isVersion: boolean;
  /** The visitors and days needed to detect a difference, one sentence per lift. */
  estimates: readonly string[];
}

function Removals({ removals, isVersion }: Pick<ReviewProps, 'removals' | 'isVersion'>) {
  return (
    <NoticeLine kind="caution">
      <h2>What this change removes or replaces</h2>
      <Lines lines={removals} />
      {isVersion && (
        <p>
          A rollback undoes every later change, not only those of the experiment. To keep them,
          change the shares under <a href="/console/experiments">Experiments</a> instead.
        </p>
      )}
    </NoticeLine>
  );
}

const Way = ({ screens, others, mark: Mark }: WayProps) => (
  <ol className="way">
    {screens.map((screen) => (
      <li key={screen}>
        {others.includes(screen) ? screenName(screen) : <Mark>{screenName(screen)}</Mark>}
      </li>
    ))}
  </ol>
);

interface WayProps {
  screens: readonly string[];
  others: readonly string[];
  mark: 'ins' | 'del';
}

const Flow = ({ text, moves, before, after }: FlowChange) => (
  <>
    <p>
      <b>{text}</b> {moves.join('. ')}
    </p>
    <dl className="flows">
      {before.length > 0 && (
        <div>
          <dt>Before</dt>
          <dd>
            <Way screens={before} others={after} mark="del" />
          </dd>
        </div>
      )}
      <div>
        <dt>After</dt>
        <dd>
          <Way screens={after} others={before.length > 0 ? before : after} mark="ins" />
        </dd>
      </div>
    </dl>
  </>
);

function Effect({ differences, sentences, flows, affects }: ReviewProps) {
  if (differences.length === 0) return <p>Nothing changes: these documents are already live.</p>;
  return (
    <section className="card">
      <h2>Effect on visitors</h2>
      {flows.map((flow) => (
        <Flow key={flow.text} {...flow} />
      ))}
      {sentences.length > 0 && <Lines lines={sentences} />}
      {affects.length > 0 && <p className="quiet">{affects.join(' ')}</p>}
    </section>
  );
}

const preview = (
  <SecondButton formAction="/console/preview" formTarget="_blank" formNoValidate>
    Preview in a new tab
  </SecondButton>
);

export function Review(props: ReviewProps) {
  const { differences, estimates, back, removals, isVersion, sale, byHand } = props;
  const isEmpty = differences.length === 0;
  return (
    <ReviewFrame
      {...props}
      title="Review the change"
      at={back.replace('documents', 'offers').replace('/draft', '')}
      action="/console"
      isWhole
      preview={preview}
      isEmpty={isEmpty}
    >
      {removals.length > 0 && <Removals removals={removals} isVersion={isVersion} />}
      <Effect {...props} />
      {!isEmpty && (
        <details className="card" open={props.flows.length === 0 && !back.includes('prices')}>
          <summary>{`All changed fields (${differences.length})`}</summary>
          <Lines lines={differences} />
        </details>
      )}
      {sale.length > 0 && (
        <section className="card">
          <h2>Payment providers</h2>
          <Lines lines={sale} />
          {byHand.length > 0 && (
            <details>
              <summary>
                If a provider refuses: create these there by hand, then publish again
              </summary>
              <Lines lines={byHand} />
            </details>
          )}
        </section>
      )}
      {!isEmpty && estimates.length > 0 && <Estimates lines={estimates} />}
    </ReviewFrame>
  );
}
