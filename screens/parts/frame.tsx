import type { ReactNode } from 'react';
import type { ScreenProps } from '../../worker/funnel/page.ts';
import styles from './frame.module.css';
import { LanguageSwitch } from './language-switch.tsx';
import { LegalLinks } from './legal-links.tsx';
import { Scene, type SceneState } from './scene.tsx';
import { TopBar } from './top-bar.tsx';

type Props = Pick<ScreenProps, 'page' | 't'> & {
  scene: SceneState;
  /** Whether phones show the scene too, as a band below the first block. */
  band?: boolean;
  /** What must be seen first: heading, promise, action. */
  children: ReactNode;
  /** The screen's one action where it stays at the bottom of a phone; gone once its island is. */
  bottom?: ReactNode;
  /** What follows below the scene on phones. */
  more?: ReactNode;
};

/** One column on phones; from 992 px the column beside the full-height scene. */
export function Frame({ page, t, scene, band = true, children, bottom, more }: Props) {
  return (
    <div className={styles.frame}>
      <div className={styles.column}>
        <TopBar page={page} t={t} />
      </div>
      <div className={`${styles.column} ${styles.first}`}>
        {children}
        {bottom && <div className={styles.bottom}>{bottom}</div>}
      </div>
      <Scene t={t} state={scene} band={band} />
      {more && <div className={`${styles.column} ${styles.more}`}>{more}</div>}
      <div className={`${styles.column} ${styles.end}`}>
        <LegalLinks page={page} t={t} />
        <LanguageSwitch page={page} t={t} />
      </div>
    </div>
  );
}
