import { Scroll } from './layout.tsx';

interface Props {
  label: string;
  screens: readonly {
    id: string;
    address: string;
    words?: string;
  }[];
  /** Path of the script that opens a clicked text, or highlights one. */
  script: string;
}

export const Phones = ({ label, screens, script }: Props) => (
  <Scroll label={label}>
    <h2>{label}</h2>
    <ol className="phones">
      {screens.map(({ id, address, words }) => (
        <li key={address}>
          {id !== label && <p className="quiet">{id}</p>}
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
  </Scroll>
);
