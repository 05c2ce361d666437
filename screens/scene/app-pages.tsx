import { timeOfDay } from '../../locales/format/date-text.ts';
import type { Text } from '../../locales/index.ts';
import type { IconName } from '../parts/icon.tsx';
import { Person, Place, Say } from './drawing-parts.tsx';
import styles from './scene.module.css';

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

const asked = 'M247 290h176a18 18 0 0 1 18 18v38H247a18 18 0 0 1-18-18v-20a18 18 0 0 1 18-18z';
const answered = 'M217 362h176a18 18 0 0 1 18 18v20a18 18 0 0 1-18 18H199v-38a18 18 0 0 1 18-18z';

/** A chat with one person in private mode. */
export function Chat({ t }: { t: Text }) {
  return (
    <>
      <path fill="var(--surface)" d="M175 145h290v610H175z" />
      <Person at={[224, 226]} initial={t('scene.them')} color="var(--other)" />
      <Say at={[260, 222]}>{t('scene.name')}</Say>
      <Say at={[260, 244]} as="soft">
        {t('upsell.benefits.chat.title')}
      </Say>
      <path stroke="var(--line)" d="M175 266h290" />
      <path fill="var(--brand)" d={asked} />
      <Say at={[335, 324]} as="action">
        {t('scene.ask')}
      </Say>
      <path fill="var(--tint)" d={answered} />
      <Say at={[219, 396]}>{t('scene.answer')}</Say>
      <rect x="191" y="574" width="258" height="76" rx="18" fill="var(--tint)" />
      <Place at={[222, 612]} sign="quiet" size={18} />
      <Say at={[250, 618]}>{t('upsell.benefits.quiet.title')}</Say>
      <rect x="191" y="674" width="258" height="48" rx="24" fill="none" stroke="var(--edge)" />
      <circle cx="425" cy="698" r="14" fill="var(--brand)" />
    </>
  );
}

const chapters = [
  ['phone', 420],
  ['school', 496],
  ['travel', 572],
  ['alert', 648],
] as const;

/** The guide: its cover and four chapters. */
export function GuideCover({ t }: { t: Text }) {
  return (
    <>
      <path fill="var(--surface)" d="M175 145h290v610H175z" />
      <path fill="var(--tint)" d="M175 145h290v230H175z" />
      <path
        fill="var(--brand)"
        d="M258 208h124a10 10 0 0 1 10 10v134H258a10 10 0 0 1-10-10V218a10 10 0 0 1 10-10z"
      />
      <path fill="none" stroke="var(--on-brand)" strokeWidth="3" opacity=".5" d="M266 208v144" />
      <Place at={[328, 268]} sign="home" size={30} />
      <path
        fill="none"
        stroke="var(--on-brand)"
        strokeWidth="6"
        strokeLinecap="round"
        d="M292 322h72"
      />
      {chapters.map(([chapter, y]) => (
        <g key={chapter}>
          <circle cx="218" cy={y} r="22" fill="var(--tint)" />
          <Place at={[218, y]} sign={chapter} size={17} />
          <Say at={[256, y - 2]}>{t(`upsell.benefits.${chapter}.title`)}</Say>
          <path
            stroke="var(--line)"
            strokeWidth="6"
            strokeLinecap="round"
            d={`M259 ${y + 16}h150`}
          />
        </g>
      ))}
    </>
  );
}
