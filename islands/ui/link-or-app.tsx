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
            {index === 0 ? (
              <>
                <circle cx="48" cy="20" r="18" fill="var(--brand)" opacity=".12" />
                <circle cx="48" cy="20" r="6" fill="var(--brand)" />
              </>
            ) : (
              <>
                <path
                  d="M28 20h40"
                  stroke="var(--edge)"
                  strokeWidth="2"
                  strokeDasharray="2 6"
                  strokeLinecap="round"
                />
                <circle cx="24" cy="20" r="14" fill="var(--brand)" opacity=".12" />
                <circle cx="24" cy="20" r="6" fill="var(--brand)" />
                <circle cx="72" cy="20" r="14" fill="var(--other)" opacity=".14" />
                <circle cx="72" cy="20" r="6" fill="var(--other)" />
              </>
            )}
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
