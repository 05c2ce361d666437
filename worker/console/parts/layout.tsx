import { createContext, type ReactNode, useContext } from 'react';
import { ShowButton } from './choice.tsx';

const sections = [
  ...['Overview', 'Experiments', 'Versions', 'Flows', 'Prices', 'Offers', 'Texts', 'Money'],
  ...['People', 'Operations', 'Audit'],
].map((name, at) => ({ name, path: at === 0 ? '/console' : `/console/${name.toLowerCase()}` }));

interface Props {
  title: string;
  /** Path of its section, with the query of its view. */
  at: string;
  /** Pages between the section and this one: their names and paths. */
  trail?: readonly (readonly [name: string, path: string])[];
  /** Whether the page has the header of a signed-in person. */
  hasHeader?: boolean;
  children: ReactNode;
}

/** E-mail of a sample buyer on the pages; null where the data is real. */
export const SampleBuyer = createContext<string | null>(null);

interface View {
  /** Null before signing in. */
  person: { email: string; role: string } | null;
  /** Whether the role may publish. */
  mayPublish: boolean;
  zone: string;
  zones: readonly string[];
  /** The current path; empty if leaving the page would lose the submitted form. */
  path: string;
  /** Path of the script that applies a choice at once; empty without a build. */
  applyScript: string;
  /** Formats a time such as 2026-11-22 10:30 in the person's zone. @param iso ISO 8601 */
  time: (iso: string) => string;
}

export const ConsoleView = createContext<View>({
  person: null,
  mayPublish: false,
  zone: 'UTC',
  zones: ['UTC'],
  path: '/console',
  applyScript: '',
  time: (at) => at,
});

export const useMayPublish = (): boolean => useContext(ConsoleView).mayPublish;

/** A time in the person's time zone. @param at ISO 8601; empty for none */
export function Time({ at }: { at: string }) {
  const { time } = useContext(ConsoleView);
  return at ? <time dateTime={at}>{time(at)}</time> : null;
}

function TimeZone() {
  const { zone, zones, path } = useContext(ConsoleView);
  if (path === '') return <p className="zone">{`Time zone ${zone}`}</p>;
  return (
    <form method="post" action="/console/time-zone" className="zone" data-apply="">
      <input type="hidden" name="back" defaultValue={path} />
      <label>
        <span>Time zone</span>{' '}
        <select name="zone" defaultValue={zone}>
          {zones.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <ShowButton label="Set" />
    </form>
  );
}

function SampleNotice() {
  const buyer = useContext(SampleBuyer);
  if (buyer === null) return null;
  return (
    <details className="sample" role="note">
      <summary>Sample data: no visit or payment is real.</summary>
      <p>
        A buyer to search for under People: <b>{buyer}</b>. To start without:{' '}
        <code>npm start -- --empty</code>
      </p>
    </details>
  );
}

function Trail({ title, at, trail = [] }: Pick<Props, 'title' | 'at' | 'trail'>) {
  const section = sections.find((each) => each.path === at.split('?')[0]);
  if (!section || section.name === title) return null;
  return (
    <nav className="trail" aria-label="Breadcrumb">
      <ol>
        {[[section.name, at] as const, ...trail].map(([name, path]) => (
          <li key={path}>
            <a href={path}>{name}</a>
          </li>
        ))}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
}

/** The frame of every console page. It works without JavaScript. */
export function ConsoleLayout({ title, at, trail, hasHeader = true, children }: Props) {
  const { person, applyScript } = useContext(ConsoleView);
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Funnel console`}</title>
        <link rel="stylesheet" href="/console/style.css" />
        {/* A table that is painted in parts shifts, because its columns fit the rows present. Chromium waits
           only for an opening tag, so the awaited element is the last one. */}
        <link rel="expect" href="#end" blocking="render" />
        <link rel="icon" href="/favicon.svg" />
      </head>
      <body>
        <a className="skip" href="#content">
          Skip to content
        </a>
        <header className="top">
          <p className="brand">Funnel console</p>
          {person && hasHeader && (
            <>
              <nav aria-label="Sections">
                <ul className="sections">
                  {sections.map(({ path, name }) => (
                    <li key={path}>
                      <a href={path} aria-current={path === at.split('?')[0] ? 'page' : undefined}>
                        {name}
                      </a>
                    </li>
                  ))}
                </ul>
              </nav>
              <p className="person chip">{person.role}</p>
            </>
          )}
        </header>
        {person && hasHeader && <SampleNotice />}
        <main id="content">
          <Trail title={title} at={at} trail={trail} />
          <h1>{title}</h1>
          {children}
        </main>
        {person && hasHeader && (
          <footer className="foot">
            <TimeZone />
            <p>{person.email}</p>
          </footer>
        )}
        {applyScript && <script type="module" src={applyScript} />}
        <div id="end" />
      </body>
    </html>
  );
}

interface NoticeProps {
  /** Red is for problems only; a caution asks to look twice. */
  kind: 'done' | 'note' | 'caution' | 'problem';
  children: ReactNode;
}

export const NoticeLine = ({ kind, children }: NoticeProps) => (
  <div className={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
    {children}
  </div>
);

interface ProblemsProps {
  problems: readonly string[];
  /** The place of a problem on the page; null for none. */
  hrefOf?: (problem: string) => string | null;
}

export const Problems = ({ problems, hrefOf = () => null }: ProblemsProps) =>
  problems.length > 0 && (
    <NoticeLine kind="problem">
      <p>Nothing was published:</p>
      <ul>
        {problems.map((problem) => {
          const href = hrefOf(problem);
          return <li key={problem}>{href ? <a href={href}>{problem}</a> : problem}</li>;
        })}
      </ul>
    </NoticeLine>
  );

/** Of a form that marks its fields. @param others what no field shows */
export const FormProblems = ({ isWrong, others }: { isWrong: boolean; others: string[] }) =>
  isWrong && <Problems problems={others.length > 0 ? others : ['Correct the marked fields.']} />;

interface ScrollProps {
  label: string;
  children: ReactNode;
}

/** A wide table scrolls by itself, also by keyboard. */
export const Scroll = ({ label, children }: ScrollProps) => (
  <section className="card scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
