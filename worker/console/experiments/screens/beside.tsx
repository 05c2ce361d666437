import { Time, useMayPublish } from '../../parts/layout.tsx';

export interface BesideProps {
  id: string;
  hypothesis: string;
  state: string;
  who: string;
  /** ISO 8601; empty for none. */
  starts: string;
  ends: string;
  learned: string;
}

/** An experiment beside the split: what it tests with whom, and what can be done with it. */
export function Beside({ id, hypothesis, state, who, starts, ends, learned }: BesideProps) {
  const mayPublish = useMayPublish();
  const edit = `/console/experiments/edit?id=${id}`;
  return (
    <section className="card">
      <h2>{hypothesis}</h2>
      <p>
        <span className={`chip ${state === 'running' ? 'success' : ''}`}>{state}</span>{' '}
        {`For ${who}.`}{' '}
        {starts && (
          <>
            From <Time at={starts} />.{' '}
          </>
        )}
        {ends && (
          <>
            Until <Time at={ends} />.
          </>
        )}
      </p>
      {learned && <p>{`What we learned: ${learned}`}</p>}
      <p className="beside">
        <a href={`/console/preview?experiment=${id}`}>Preview each variant</a>
        {mayPublish && (
          <a href={edit}>{state === 'ended' ? 'Write down what was learned' : 'Change it'}</a>
        )}
      </p>
    </section>
  );
}
