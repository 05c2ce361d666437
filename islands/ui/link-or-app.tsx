import styles from './link-or-app.module.css';

export interface LinkOrAppText {
  link: string;
  link_position: string;
  link_once: string;
  link_free: string;
  app: string;
  app_live: string;
  app_both: string;
  app_free: string;
}

/** Of the link and of the app: a title, and what each can do. */
export type LinkOrAppColumns = readonly (readonly string[])[];

export const linkOrAppColumns = (text: LinkOrAppText): LinkOrAppColumns => [
  [text.link, text.link_position, text.link_once, text.link_free],
  [text.app, text.app_live, text.app_both, text.app_free],
];

const colours = ['var(--other)', 'var(--brand)'];

export function LinkOrApp({ columns }: { columns: LinkOrAppColumns }) {
  return (
    <div className={`gap-8 ${styles.columns}`}>
      {columns.map(([title = '', ...facts], index) => (
        <div key={title} className={`card gap-8 ${styles.column}`}>
          <svg
            viewBox={`0 0 ${36 + index * 48} 40`}
            width={36 + index * 48}
            height="40"
            aria-hidden="true"
          >
            {index === 1 && (
              <path
                d="M32 20h20"
                stroke="var(--edge)"
                strokeWidth="2"
                strokeDasharray="2 6"
                strokeLinecap="round"
              />
            )}
            {colours.slice(0, index + 1).map((colour, at) => (
              <g key={colour} transform={`translate(${at * 48})`} fill={colour}>
                <circle cx="18" cy="20" r="18" opacity=".12" />
                <circle cx="18" cy="20" r="6" />
              </g>
            ))}
          </svg>
          <p className="strong">{title}</p>
          {facts.map((fact) => (
            <p key={fact} className="note">
              {fact}
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}
