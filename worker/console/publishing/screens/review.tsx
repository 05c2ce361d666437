import { NoticeLine } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { ReviewFrame, type ReviewFrameProps } from './review-frame.tsx';

export interface ReviewProps
  extends Pick<
    ReviewFrameProps,
    'fields' | 'back' | 'isForm' | 'conflict' | 'problem' | 'warnings' | 'schedule'
  > {
  /** Descriptions of what changes for new visitors. */
  sentences: readonly string[];
  affects: readonly string[];
  differences: readonly string[];
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

function Effect({
  differences,
  sentences,
  affects,
}: Pick<ReviewProps, 'differences' | 'sentences' | 'affects'>) {
  const isEmpty = differences.length === 0;
  const unchanged = 'Shares and flows of the variants stay the same.';
  return (
    <section className="card">
      <h2>Effect on visitors</h2>
      {isEmpty ? (
        <p>Nothing changes: these documents are already live.</p>
      ) : (
        <>
          <Lines lines={sentences.length > 0 ? sentences : [unchanged]} />
          <p className="quiet">
            {[...affects, 'The change is live within about a minute.'].join(' ')}
          </p>
        </>
      )}
    </section>
  );
}

const preview = (
  <button
    type="submit"
    className="secondary"
    formAction="/console/preview"
    formTarget="_blank"
    formNoValidate
  >
    Preview the screens in a new tab
  </button>
);

/** Shows the effect of a publication before it is made. */
export function Review(props: ReviewProps) {
  const { differences, estimates, back, removals, isVersion } = props;
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
        <section className="card">
          <h2>All changes</h2>
          <Lines lines={differences} />
        </section>
      )}
      {!isEmpty && estimates.length > 0 && (
        <section className="card">
          <h2>How long the test will take</h2>
          <Lines lines={estimates} />
          <p className="quiet">
            Based on the traffic of the last seven full days (UTC), for one evaluation at the end.
            It detects such a rise in 80% of tests (power), with an error rate of 5% (significance).
          </p>
        </section>
      )}
    </ReviewFrame>
  );
}
