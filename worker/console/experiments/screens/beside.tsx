import { ChoiceField } from '../../parts/choice.tsx';
import { Hidden, SecondButton, SubmitButton } from '../../parts/field.tsx';
import { useMayPublish } from '../../parts/layout.tsx';

export interface BesideProps {
  id: string;
  hypothesis: string;
  state: string;
  who: string;
  variants: readonly string[];
  /** Empty until one is chosen. */
  winner: string;
}

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
      <SubmitButton>Roll out the winner</SubmitButton>
    </form>
  );
}

function Pause({ id, state }: Pick<BesideProps, 'id' | 'state'>) {
  const isEnded = state === 'ended';
  return (
    <form method="post" action="/console/review">
      <Hidden fields={{ from: 'experiment', flow: id, ends: isEnded ? 'never' : 'now' }} />
      <SecondButton>
        {isEnded ? 'Continue the test' : 'Pause: everybody gets the control'}
      </SecondButton>
    </form>
  );
}

/** An experiment beside the split: what it tests with whom, and what can be done with it. */
export function Beside(props: BesideProps) {
  const { id, hypothesis, state, who, winner } = props;
  const mayPublish = useMayPublish();
  const edit = `/console/experiments/edit?id=${id}`;
  return (
    <section className="card">
      <h2>{hypothesis}</h2>
      <p>
        <span className={`chip ${state === 'running' ? 'success' : ''}`}>{state}</span>{' '}
        {`For ${who}.`}
      </p>
      {winner && <p>{`Winner: “${winner}”.`}</p>}
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
