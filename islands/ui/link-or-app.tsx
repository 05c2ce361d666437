import styles from './link-or-app.module.css';

interface LinkOrAppText {
  link: string;
  link_position: string;
  link_once: string;
  link_free: string;
  app: string;
  app_live: string;
  app_both: string;
  app_free: string;
}

const colours = ['var(--other)', 'var(--brand)'];

export function LinkOrApp({ text }: { text: LinkOrAppText }) {
  const columns = [
    [text.link, text.link_position, text.link_once, text.link_free],
    [text.app, text.app_live, text.app_both, text.app_free],
  ] as const;
  return (
    <div className={styles.figure}>
      {columns.map(([title, ...facts], index) => (
        <div key={title} className={`stack gap-8 ${styles.column}`}>
          <svg className={styles.drawing} viewBox="0 0 96 40" aria-hidden="true">
            {index === 1 && (
              <path
                d="M32 20h40"
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
          <ul className={`stack gap-4 small ${styles.facts}`}>
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
