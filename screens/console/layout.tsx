import type { ReactNode } from 'react';

export interface ConsolePerson {
  email: string;
  role: string;
}

const sections = [
  { path: '/console', name: 'Overview' },
  { path: '/console/experiments', name: 'Experiments' },
  { path: '/console/versions', name: 'Versions' },
  { path: '/console/people', name: 'People' },
  { path: '/console/audit', name: 'Audit' },
];

interface Props {
  title: string;
  /** Path of the section that is shown. */
  at: string;
  person: ConsolePerson | null;
  children: ReactNode;
}

/** Every page of the console. It works without JavaScript. */
export function ConsoleLayout({ title, at, person, children }: Props) {
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Funnel console`}</title>
        <link rel="stylesheet" href="/console/style.css" />
        <link rel="icon" href="/favicon.svg" />
      </head>
      <body>
        <a className="skip" href="#content">
          Skip to content
        </a>
        <header className="top">
          <p className="brand">Funnel console</p>
          {person && (
            <>
              <nav aria-label="Sections">
                <ul className="sections">
                  {sections.map(({ path, name }) => (
                    <li key={path}>
                      <a href={path} aria-current={path === at ? 'page' : undefined}>
                        {name}
                      </a>
                    </li>
                  ))}
                </ul>
              </nav>
              <p className="person">
                {person.email} <span className="chip">{person.role}</span>
              </p>
            </>
          )}
        </header>
        <main id="content">
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

/** @param time ISO 8601, UTC */
export const shortTime = (time: string): string => time.slice(0, 16).replace('T', ' ');

interface NoticeProps {
  kind: 'done' | 'problem';
  children: ReactNode;
}

export const Notice = ({ kind, children }: NoticeProps) => (
  <div className={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
    {children}
  </div>
);

interface ScrollProps {
  label: string;
  children: ReactNode;
}

/** A wide table scrolls by itself; the keyboard reaches it, too. */
export const Scroll = ({ label, children }: ScrollProps) => (
  <section className="card scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
