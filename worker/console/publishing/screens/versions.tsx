import { useContext } from 'react';
import { Hidden, SecondButton } from '../../parts/field.tsx';
import { ConsoleLayout, ConsoleView, NoticeLine, useMayPublish } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { bare, figures, Table } from '../../parts/table.tsx';
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
  config: { review: '/console/review', href: '/console/versions' },
  content: { review: '/console/texts/review', href: '/console/texts/versions' },
};

const tabs = [
  { name: 'Tests, offers, flows', href: '/console/versions' },
  { name: 'Texts, claims, reviews', href: '/console/texts/versions' },
];

function Changes({ differences, id }: Version) {
  const [first, ...more] = differences;
  if (!first) {
    const text = id === 'built-in' ? 'before any publication' : 'not recorded';
    return <span className="soft">{text}</span>;
  }
  if (more.length === 0) return first;
  return (
    <details>
      <summary>{`${first}, and ${more.length} more`}</summary>
      <Lines lines={more} isPlain />
    </details>
  );
}

const RollBack = ({ id, isLive, name, review }: Version & { name: string; review: string }) => (
  <form method="post" action={review}>
    <Hidden fields={{ version: id }} />
    {isLive ? (
      <SecondButton>Ask the payment providers again</SecondButton>
    ) : (
      <SecondButton aria-label={`Roll back to ${name}`}>Roll back…</SecondButton>
    )}
  </form>
);

const Nothing = () => (
  <section className="card">
    <h2>Nothing has been published yet</h2>
    <p className="quiet">Each publication will be listed here, to roll back to.</p>
  </section>
);

/** Every published version of the documents of one kind, newest first. */
export function Versions({ kind, versions, ...scheduled }: Props) {
  const mayPublish = useMayPublish();
  const { time: format } = useContext(ConsoleView);
  const { review, href } = pages[kind];
  return (
    <ConsoleLayout title="Versions" at="/console/versions">
      <Tabs label="Kind" tabs={tabs.map((tab) => ({ ...tab, isChosen: tab.href === href }))} />
      <Scheduled {...scheduled} kind={kind} />
      {!versions.some(({ isLive }) => isLive) && (
        <NoticeLine kind="caution">Live now: no version, but what was changed by hand.</NoticeLine>
      )}
      {versions.length === 1 ? (
        <Nothing />
      ) : (
        <Table
          title="Published versions"
          stacks
          columns={['Version', ...bare('Reason', 'What changed'), ...figures('Action')]}
          rows={versions.map((version) => {
            const { id, time, who, reason, isLive, unsold } = version;
            const name = time ? format(time) : 'Built-in';
            return {
              key: id,
              name,
              ...(isLive && { note: <span className="chip success">Live now</span> }),
              isLive,
              cells: [
                who && (
                  <span key="reason">
                    {reason || <span className="soft">none given</span>}
                    <small>{who === 'written by hand' ? who : `by ${who}`}</small>
                  </span>
                ),
                unsold.length === 0 ? (
                  Changes(version)
                ) : (
                  <div key="changes">
                    {Changes(version)}
                    {unsold.map((line) => (
                      <small key={line}>{line}</small>
                    ))}
                  </div>
                ),
                (!isLive || unsold.length > 0) && mayPublish && (
                  <RollBack key={id} {...version} {...{ name, review }} />
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
