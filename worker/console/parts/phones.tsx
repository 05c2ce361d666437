import type { ReactNode } from 'react';
import { ScreenName } from './screen-name.tsx';

interface Props {
  label: string;
  screens: readonly {
    id: string;
    /** In place of the screen's own name. */
    name?: string;
    /** Such as its language; empty for none. */
    note?: string;
    address: string;
    words?: string;
  }[];
  /** Path of the script that opens a clicked text, or highlights one. */
  script: string;
  link?: string;
  children?: ReactNode;
}

export const Phones = ({ label, screens, script, link, children }: Props) => (
  <section className="card" aria-label={label}>
    <h2>{label}</h2>
    {link && (
      <div className="on-phone">
        {children}
        <p>
          <a href={link} target="_blank" rel="noopener">
            See it on the site
          </a>{' '}
          <span className="soft">For an hour; not counted.</span>
        </p>
      </div>
    )}
    <ol className="phones">
      {screens.map(({ id, name, note, address, words }) => (
        <li key={address}>
          <p className="quiet">
            {note && `${note}: `}
            <ScreenName {...{ id, name }} />
          </p>
          <div className="phone" data-words={words}>
            <iframe
              src={address}
              title={`${id} of ${label}`}
              loading="lazy"
              sandbox="allow-same-origin"
            />
          </div>
        </li>
      ))}
    </ol>
    {script && <script type="module" src={script} />}
  </section>
);
