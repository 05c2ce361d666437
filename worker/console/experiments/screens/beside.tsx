import { ChoiceField } from '../../parts/choice.tsx';
import { Hidden } from '../../parts/field.tsx';
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
  variants: readonly string[];
  /** Empty until one is chosen. */
  winner: string;
}

const text: Partial<Record<string, string>> = {
  ended: 'Continue the test',
  running: 'Pause: everybody gets the control',
};

/** What ends a test; each is reviewed first. */
function Outcomes({ id, variants }: Pick<BesideProps, 'id' | 'variants'>) {
  return (
    <form method="post" action="/console/review" className="beside">
      <Hidden fields={{ from: 'experiment', flow: id }} />
      <ChoiceField label="Winner" name="winner" chosen={variants[1]} choices={variants} />
      <ChoiceField
        label="For"
        name="reach"
        chosen="everybody"
        choices={['everybody', 'group']}
        textOf={(reach) => (reach === 'group' ? 'only those who take part' : reach)}
      />
      <button type="submit">Roll out the winner</button>
    </form>
  );
}

function Pause({ id, state }: Pick<BesideProps, 'id' | 'state'>) {
  const words = text[state];
  return (
    words && (
      <form method="post" action="/console/review">
        <Hidden
          fields={{ from: 'experiment', flow: id, ends: state === 'ended' ? 'never' : 'now' }}
        />
        <button type="submit" className="secondary">
          {words}
        </button>
      </form>
    )
  );
}

/** An experiment beside the split: what it tests with whom, and what can be done with it. */
export function Beside(props: BesideProps) {
  const { id, hypothesis, state, who, starts, ends, learned, winner } = props;
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
      {winner && <p>{`Winner: “${winner}”.`}</p>}
      {learned && <p>{`What we learned: ${learned}`}</p>}
      <p className="beside">
        <a href={`/console/preview?experiment=${id}`}>Preview each variant</a>
        {mayPublish && <a href={edit}>Change it</a>}
      </p>
      {mayPublish && !winner && state !== 'waiting' && (
        <>
          <Outcomes {...props} />
          <Pause {...props} />
        </>
      )}
    </section>
  );
}
