import { useContext } from 'react';
import { ConsoleLayout, ConsoleView, useMayPublish } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Scheduled, type ScheduledProps } from './scheduled.tsx';

interface Version {
  id: string;
  time: string;
  who: string;
  reason: string;
  /** What changed, one line each. */
  differences: readonly string[];
  isLive: boolean;
  /** What payment providers do not sell of it. */
  unsold: readonly string[];
}

interface Props extends ScheduledProps {
  kind: 'config' | 'content';
  versions: readonly Version[];
}

const pages = {
  config: {
    title: 'Versions',
    at: '/console/versions',
    review: '/console/review',
    href: '/console/versions',
  },
  content: {
    title: 'Versions of the texts',
    at: '/console/texts',
    review: '/console/texts/review',
    href: '/console/texts/versions',
  },
};

const tabs = [
  { name: 'Experiments, offers and flows', href: '/console/versions' },
  { name: 'Texts, claims and reviews', href: '/console/texts/versions' },
];

function Changes({ differences, id }: Version) {
  const [first, ...more] = differences;
  if (!first) return id === 'built-in' ? null : <span className="soft">not recorded</span>;
  if (more.length === 0) return first;
  return (
    <details>
      <summary>{`${first}, and ${more.length} more`}</summary>
      <Lines lines={more} isPlain />
    </details>
  );
}

const RollBack = ({ id, review, isLive }: Pick<Version, 'id' | 'isLive'> & { review: string }) => (
  <form method="post" action={review}>
    <input type="hidden" name="version" defaultValue={id} />
    <button type="submit" className="plain">
      {isLive ? 'Ask the payment providers again' : 'Roll back to this version'}
    </button>
  </form>
);

/** Every published version of the documents of one kind, newest first. */
export function Versions({ kind, versions, ...scheduled }: Props) {
  const mayPublish = useMayPublish();
  const { time: format } = useContext(ConsoleView);
  const { title, at, review, href } = pages[kind];
  return (
    <ConsoleLayout title={title} at={at}>
      <Tabs label="Kind" tabs={tabs.map((tab) => ({ ...tab, isChosen: tab.href === href }))} />
      <Scheduled {...scheduled} kind={kind} />
      {versions.length === 1 ? (
        <p>Nothing has been published yet. Visitors get what is built in.</p>
      ) : (
        <Table
          title="Published versions"
          stacks
          columns={['Version', 'What changed', 'Reason', 'By', 'Action']}
          rows={versions.map((version) => {
            const { id, time, who, reason, isLive, unsold } = version;
            return {
              key: id,
              name: time ? format(time) : 'Built-in',
              ...(isLive && { note: ['live', ...unsold].join('. ') }),
              isLive,
              cells: [
                Changes(version),
                reason || (who && <span className="soft">none given</span>),
                who,
                (!isLive || unsold.length > 0) && mayPublish && (
                  <RollBack {...version} review={review} />
                ),
              ],
            };
          })}
          empty=""
        />
      )}
    </ConsoleLayout>
  );
}
