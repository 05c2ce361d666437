import { useEffect, useState } from 'react';
import { ReloadLink } from './reload-link.tsx';
import styles from './skeleton.module.css';
import { Spinner } from './spinner.tsx';

const stays = 1000;

type Props = {
  /** Whether what it stands for has come: it fades in 0.2 s then, and is gone after a second. */
  loaded: boolean;
  /** Says what is awaited. */
  label: string;
  /** What is said when that takes long. */
  text: { stuck: string; reload: string };
};

/** Stands over a part of a page that comes from elsewhere, until it is there. */
export function Skeleton({ loaded, label, text }: Props) {
  const [gone, setGone] = useState(false);
  useEffect(() => {
    setGone(false);
    if (!loaded) return;
    const timer = setTimeout(() => setGone(true), stays);
    return () => clearTimeout(timer);
  }, [loaded]);
  if (gone) return null;
  return (
    <div
      className={loaded ? `${styles.preloader} ${styles.loaded}` : styles.preloader}
      role={loaded ? undefined : 'status'}
      data-preloader=""
    >
      <Spinner />
      <span className={styles.label}>{label}</span>
      {!loaded && <ReloadLink text={text} />}
    </div>
  );
}
