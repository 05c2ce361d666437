import { ConsoleLayout, Time, useMayPublish } from '../../parts/layout.tsx';
import { Table } from '../../parts/table.tsx';
import { Scheduled, type ScheduledProps } from './scheduled.tsx';

interface Props extends ScheduledProps {
  kind: 'config' | 'content';
  versions: readonly { id: string; time: string; who: string; reason: string; isLive: boolean }[];
}

const pages = {
  config: {
    title: 'Versions of experiments and flows',
    at: '/console/versions',
    review: '/console/review',
    other: { href: '/console/texts/versions', text: 'Versions of texts, claims and reviews' },
  },
  content: {
    title: 'Versions of the texts',
    at: '/console/texts',
    review: '/console/texts/review',
    other: { href: '/console/versions', text: 'Versions of experiments and flows' },
  },
};

/** Every published version of the documents of one kind, newest first. */
export function Versions({ kind, versions, ...scheduled }: Props) {
  const mayPublish = useMayPublish();
  const { title, at, review, other } = pages[kind];
  return (
    <ConsoleLayout title={title} at={at}>
      <p>
        <a href={other.href}>{other.text}</a>
      </p>
      <Scheduled {...scheduled} kind={kind} />
      <Table
        title="Published versions"
        stacks
        columns={['Version', 'Published', 'By', 'Reason', 'Action']}
        rows={versions.map(({ id, time, who, reason, isLive }) => ({
          name: id,
          cells: [
            <Time key={id} at={time} />,
            who,
            reason,
            isLive ? (
              <span key={id} className="chip success">
                live
              </span>
            ) : (
              mayPublish && (
                <form key={id} method="post" action={review}>
                  <input type="hidden" name="version" defaultValue={id} />
                  <button type="submit" className="secondary">
                    Roll back to this version
                  </button>
                </form>
              )
            ),
          ],
        }))}
        empty=""
      />
    </ConsoleLayout>
  );
}
