import { timeOfDay } from '../../locales/format/date-text.ts';
import type { Text } from '../../locales/index.ts';
import { drawings, type IconName } from '../parts/icon.tsx';
import { Bubble, Pin, Place, Presence, Say } from './drawing-parts.tsx';
import styles from './scene.module.css';

/** Times of the notes, matching `alerts` in screens.json. */
export const alertTimes = { school: '08:12', way: '15:41', home: '16:05' } as const;

const notes = [
  ['home', 'home', 396],
  ['way', 'pin', 484],
  ['school', 'school', 572],
] as const satisfies readonly [string, IconName, number][];

type NoteProps = { title: string; text: string; sign: IconName; y: number };

/** A note as a phone displays it. */
export function Note({ title, text, sign, y }: NoteProps) {
  return (
    <>
      <rect className={styles.shade} x="187" y={y + 3} width="266" height="76" rx="18" />
      <rect x="187" y={y} width="266" height="76" rx="18" fill="var(--surface)" />
      <circle cx="218" cy={y + 38} r="20" fill="var(--tint)" />
      <Place at={[218, y + 38]} sign={sign} size={16} flat />
      <Say at={[247, y + 34]} fit={190}>
        {title}
      </Say>
      <Say at={[247, y + 56]} as="soft" fit={190}>
        {text}
      </Say>
    </>
  );
}

type AlertProps = { t: Text; note: (typeof notes)[number][0]; sign: IconName; y: number };

/** A place alert. */
export const AlertNote = ({ t, note, ...at }: AlertProps) => (
  <Note {...at} title={t(`alerts.${note}.title`)} text={t(`alerts.${note}.text`)} />
);

type RowProps = {
  sign: IconName;
  y: number;
  /** Whether a line separates it from the row above. */
  line: boolean;
  children: string;
};

const ListRow = ({ sign, y, line, children }: RowProps) => (
  <>
    <circle cx="218" cy={y} r="22" fill="var(--tint)" />
    <Place at={[218, y]} sign={sign} size={17} />
    <Say at={[256, y + 6]} fit={190}>
      {children}
    </Say>
    {line && <path stroke="var(--line)" d={`M256 ${y - 38}h185`} />}
  </>
);

/** Place alerts on a lock screen, the latest on top. */
export function Alerts({ t, language }: { t: Text; language: string }) {
  const cards = notes.map(([note, sign, y]) => (
    <AlertNote key={note} t={t} note={note} sign={sign} y={y} />
  ));
  return (
    <>
      <Say at={[320, 332]} as="hour">
        {timeOfDay(alertTimes.home, language, true)}
      </Say>
      {cards}
    </>
  );
}

export const chatTime = '17:12';

/** A private chat over the map: the visitor's pin has a moon, for being hidden. */
export function Chat({ t, language }: { t: Text; language: string }) {
  return (
    <>
      <Pin at={[262, 366]} color="var(--brand)" />
      <Presence at={[284, 306]} />
      <Pin at={[386, 346]} color="var(--other)" />
      <rect className={styles.shade} x="187" y="197" width="266" height="60" rx="18" />
      <rect x="187" y="194" width="266" height="60" rx="18" fill="var(--surface)" />
      <circle cx="218" cy="224" r="19" fill="var(--tint)" />
      <path className={styles.sign} transform="translate(207 213) scale(.92)" d={drawings.quiet} />
      <Say at={[249, 230]} fit={190}>
        {t('upsell.benefits.quiet.title')}
      </Say>
      <path className={styles.shade} d="M175 420a28 28 0 0 1 28-28h234a28 28 0 0 1 28 28z" />
      <path fill="var(--surface)" d="M175 422a28 28 0 0 1 28-28h234a28 28 0 0 1 28 28v334H175z" />
      <Say at={[199, 436]}>{t('upsell.benefits.chat.title')}</Say>
      <Say at={[199, 458]} as="soft" fit={240}>
        {t('upsell.benefits.chat.text')}
      </Say>
      <path stroke="var(--line)" d="M175 476h290" />
      <Say at={[320, 504]} as="note">
        {timeOfDay(chatTime, language, true)}
      </Say>
      <Bubble at={[441, 570]} height={52}>
        {t('scene.ask')}
      </Bubble>
      <Bubble at={[199, 634]} height={52} theirs="var(--tint)">
        {t('scene.answer')}
      </Bubble>
      <Bubble at={[441, 698]} height={52}>
        {t('scene.reply')}
      </Bubble>
    </>
  );
}

const chapters = [
  ['phone', 420],
  ['school', 496],
  ['travel', 572],
  ['alert', 648],
] as const;

/** A path that leads in a circle, and an unknown place. */
export function Lost({ t }: { t: Text }) {
  return (
    <>
      <circle cx="364" cy="376" r="84" fill="var(--brand)" opacity=".1" />
      <path
        className={styles.route}
        d="M206 664C270 664 304 610 284 568C266 532 214 552 226 596C240 644 364 630 364 406"
      />
      <Place at={[206, 664]} sign="home" />
      <Pin at={[364, 400]} initial={t('scene.unknown')} color="var(--brand)" />
    </>
  );
}

export function Book({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path
        fill="var(--brand)"
        d="M10 0h124a10 10 0 0 1 10 10v124a10 10 0 0 1-10 10H10a10 10 0 0 1-10-10V10A10 10 0 0 1 10 0z"
      />
      <path fill="none" stroke="var(--on-brand)" strokeWidth="3" opacity=".5" d="M18 0v144" />
      <Place at={[80, 60]} sign="home" size={30} />
      <path stroke="var(--on-brand)" strokeWidth="6" strokeLinecap="round" d="M44 114h72" />
    </g>
  );
}

/** The guide: its cover and four chapters. */
export function GuideCover({ t }: { t: Text }) {
  return (
    <>
      <path fill="var(--surface)" d="M175 145h290v610H175z" />
      <path fill="var(--tint)" d="M175 145h290v230H175z" />
      <Book x={248} y={208} />
      {chapters.map(([chapter, y], at) => (
        <ListRow key={chapter} sign={chapter} y={y} line={at > 0}>
          {t(`upsell.benefits.${chapter}.title`)}
        </ListRow>
      ))}
    </>
  );
}
