import { SubmitButton } from '../../parts/field.tsx';
import { useMayPublish } from '../../parts/layout.tsx';
import { Table } from '../../parts/table.tsx';

export interface ListedExperiment {
  name: string;
  hypothesis: string;
  /** `waiting`, `running`, `ended` or `stopped`. */
  state: string;
  /** In one sentence; empty while there is nothing to compare. */
  verdict: string;
  /** Its first and last day with visitors, UTC. */
  days: string;
  learned: string;
}

const hrefOf = (name: string) => `/console/experiments?experiment=${encodeURIComponent(name)}`;
const isPast = ({ state }: ListedExperiment) => state === 'ended';

/** Every experiment, the split first; ended ones below, with what was learned. */
export function ExperimentList({ listed }: { listed: readonly ListedExperiment[] }) {
  const mayPublish = useMayPublish();
  const past = listed.filter(isPast);
  const rowOf = ({ name, hypothesis }: ListedExperiment) => ({
    name,
    note: hypothesis,
    href: hrefOf(name),
  });
  return (
    <>
      <Table
        title="Tests"
        stacks
        columns={['Test', 'State', 'Verdict']}
        rows={listed
          .filter((each) => !isPast(each))
          .map((each) => ({
            ...rowOf(each),
            cells: [
              <span key="state" className={`chip ${each.state === 'running' ? 'success' : ''}`}>
                {each.state}
              </span>,
              each.verdict || '–',
            ],
          }))}
        empty="None."
      >
        {mayPublish && (
          <form action="/console/experiments/edit">
            <SubmitButton>New experiment</SubmitButton>
          </form>
        )}
      </Table>
      {past.length > 0 && (
        <Table
          title="Past tests"
          stacks
          columns={['Test', 'When', 'Verdict', 'What we learned']}
          rows={past.map((each) => ({
            ...rowOf(each),
            cells: [each.days || '–', each.verdict || '–', each.learned || '–'],
          }))}
          empty=""
        />
      )}
    </>
  );
}
