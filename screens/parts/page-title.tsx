import styles from './page-title.module.css';

type Props = {
  title: string;
  /** What an island will have it say; room is kept for both. */
  later?: string;
  lead?: string | undefined;
};

/** The longest title, in letters of Latin width, that stands on two lines at the largest size. */
const largest = 23;
const square = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
const widthOf = (title: string) => title.length + (title.match(square)?.length ?? 0);

/**
 * The screen's one heading, which takes the focus after navigation, and its lead. It never leaves the
 * column: on desktops a long one is set smaller instead.
 */
export function PageTitle({ title, later, lead }: Props) {
  const long = widthOf(title) > largest ? '' : undefined;
  return (
    <div className={styles.headline}>
      {later ? (
        <h1 tabIndex={-1} className={styles.both} data-long={long} data-later={later}>
          <span>{title}</span>
        </h1>
      ) : (
        <h1 tabIndex={-1} data-long={long}>
          {title}
        </h1>
      )}
      {lead && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}
