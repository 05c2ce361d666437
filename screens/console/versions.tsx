import type { ConsolePerson } from './layout.tsx';
import { ConsoleLayout, Scroll, Time } from './layout.tsx';
import { Scheduled, type ScheduledProps } from './scheduled.tsx';

export interface VersionsProps extends ScheduledProps {
  person: ConsolePerson;
  mayPublish: boolean;
  versions: readonly { id: string; time: string; who: string; reason: string; isLive: boolean }[];
}

/** Every published version of the two documents, newest first. */
export function Versions({ person, mayPublish, versions, ...scheduled }: VersionsProps) {
  return (
    <ConsoleLayout title="Versions of experiments and flows" at="/console/versions" person={person}>
      <p className="quiet">
        Texts, claims and reviews have <a href="/console/texts/versions">versions of their own</a>.
      </p>
      <Scheduled {...scheduled} mayPublish={mayPublish} kind="config" />
      <Scroll label="Published versions">
        <table>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Published</th>
              <th scope="col">By</th>
              <th scope="col">Reason</th>
              <th scope="col">Action</th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ id, time, who, reason, isLive }) => (
              <tr key={id}>
                <td>
                  {id} {isLive && <span className="chip">live</span>}
                </td>
                <td>
                  <Time at={time} />
                </td>
                <td>{who}</td>
                <td>{reason}</td>
                <td>
                  {mayPublish && !isLive && (
                    <form method="post" action="/console/review">
                      <input type="hidden" name="version" defaultValue={id} />
                      <button type="submit" className="secondary">
                        Go back to it
                      </button>
                    </form>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </ConsoleLayout>
  );
}
