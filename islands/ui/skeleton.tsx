import { useEffect, useState } from 'react';
import { ReloadLink } from './reload-link.tsx';
import styles from './skeleton.module.css';
import { Spinner } from './spinner.tsx';

const stays = 1000;

type Props = {
  /** Fades out in 0.2 s; removed after 1 s. */
  loaded: boolean;
  label: string;
  /** Shown when loading takes long. */
  text: { stuck: string; reload: string };
};

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
      className={`note needs-script ${styles.preloader} ${loaded ? styles.loaded : ''}`}
      role={loaded ? undefined : 'status'}
      data-preloader=""
    >
      <Spinner />
      <span>{label}</span>
      {!loaded && <ReloadLink text={text} />}
    </div>
  );
}
