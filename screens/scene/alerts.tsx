import { timeOfDay } from '../../locales/format/date-text.ts';
import type { Text } from '../../locales/index.ts';
import type { IconName } from '../parts/icon.tsx';
import styles from './scene.module.css';
import { Place, Say } from './svg-text.tsx';

/** Times of the notes, matching `alerts` in screens.json. */
export const alertTimes = { school: '08:12', way: '15:41', home: '16:05' } as const;

const notes = [
  ['home', 'home', 324],
  ['way', 'pin', 410],
  ['school', 'school', 496],
] as const satisfies readonly [string, IconName, number][];

/** Place alerts on a lock screen, the latest on top. */
export function Alerts({ t, language }: { t: Text; language: string }) {
  const cards = notes.map(([note, sign, y]) => (
    <g key={note}>
      <rect className={styles.shade} x="187" y={y + 3} width="266" height="76" rx="18" />
      <rect x="187" y={y} width="266" height="76" rx="18" fill="var(--surface)" />
      <circle cx="220" cy={y + 38} r="20" fill="var(--tint)" />
      <Place at={[220, y + 38]} sign={sign} size={16} />
      <Say at={[250, y + 34]}>{t(`alerts.${note}.title`)}</Say>
      <Say at={[250, y + 56]} as="soft">
        {t(`alerts.${note}.text`)}
      </Say>
    </g>
  ));
  return (
    <>
      <Say at={[320, 282]} as="hour">
        {timeOfDay(alertTimes.home, language, true)}
      </Say>
      {cards}
    </>
  );
}
