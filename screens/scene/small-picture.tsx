import type { Text } from '../../locales/index.ts';
import { drawings } from '../parts/icon.tsx';
import { Book } from './app-pages.tsx';
import { Bubble, Envelope, Person, Pin, Place, Presence, Say } from './drawing-parts.tsx';
import { AppIcon, Calendar, DeclinedCard } from './emblems.tsx';
import styles from './scene.module.css';

/** `map`: the visitor, whom nobody has answered yet; `plans`: paid days and prices; `mail`: a link on its way; `link`: an e-mail that opens the app; `alerts`: a note; `chat`: a chat of two; `guide`: its cover on a page; `declined`: a card with a warning; `lost`: a path to nowhere. */
type SmallPictureKind =
  | 'map'
  | 'plans'
  | 'mail'
  | 'link'
  | 'alerts'
  | 'chat'
  | 'guide'
  | 'declined'
  | 'lost';

/** Parts of the drawing that differ from the usual one. */
const frames: Partial<Record<SmallPictureKind, string>> = {
  chat: '0 18 343 104',
  lost: '78 8 188 132',
};

type Words = { t: Text };

/** The visitor alone: nobody has agreed yet. */
const Alone = () => (
  <>
    <Place at={[92, 80]} sign="home" flat />
    <Place at={[252, 56]} sign="school" flat />
    <circle cx="172" cy="70" r="54" fill="var(--brand)" opacity=".12" />
    <g transform="translate(172 88) scale(.58)">
      <Pin at={[0, 0]} color="var(--brand)" />
    </g>
  </>
);

/** Lines of text too small to read. */
const TextLines = ({ d }: { d: string }) => (
  <path stroke="var(--ink-soft)" opacity=".3" strokeWidth="5" strokeLinecap="round" d={d} />
);

function Plans() {
  return (
    <>
      <rect className={styles.shade} x="92" y="43" width="159" height="56" rx="12" />
      <rect x="92" y="40" width="159" height="56" rx="12" fill="var(--float)" />
      <g transform="translate(126 69) scale(.22) translate(-320 -379)">
        <Calendar />
      </g>
      <TextLines d="M160 60h40M224 60h8M160 76h26M216 76h16" />
    </>
  );
}

function Note({ t }: Words) {
  return (
    <>
      <rect
        x="40"
        y="43"
        width="263"
        height="50"
        rx="14"
        fill="var(--float)"
        stroke="var(--line)"
      />
      <circle cx="68" cy="68" r="17" fill="var(--tint)" />
      <Place at={[68, 68]} sign="home" size={13} flat />
      <Say at={[96, 65]}>{t('alerts.home.title')}</Say>
      <Say at={[96, 83]} as="soft">
        {t('alerts.home.text')}
      </Say>
    </>
  );
}

/** The visitor is in private mode, shown by a moon. */
function Chat({ t }: Words) {
  return (
    <>
      <Bubble at={[275, 68]} height={36}>
        {t('scene.ask')}
      </Bubble>
      <g transform="translate(302 50) scale(.82)">
        <Person at={[0, 0]} color="var(--brand)" />
        <Presence at={[18, 16]} />
      </g>
      <Bubble at={[68, 114]} height={36} theirs="var(--float)" shade>
        {t('scene.answer')}
      </Bubble>
      <g transform="translate(41 96) scale(.82)">
        <Person at={[0, 0]} color="var(--other)" />
      </g>
    </>
  );
}

/** The guide's cover on a checklist. */
function Guide() {
  return (
    <>
      <rect className={styles.shade} x="164" y="43" width="96" height="62" rx="8" />
      <rect x="164" y="40" width="96" height="62" rx="8" fill="var(--float)" />
      {[57, 72, 87].map((y, at) => (
        <g key={y} transform={`translate(192 ${y})`}>
          <g className={styles.turned}>
            <path
              className={styles.sign}
              transform="scale(.5) translate(-12 -12)"
              d={drawings.consent}
            />
          </g>
          <TextLines d={`M14 0h${at < 2 ? 36 : 22}`} />
        </g>
      ))}
      <g transform="translate(112 39) rotate(-5 29 29) scale(.4)">
        <Book x={0} y={0} />
      </g>
    </>
  );
}

const Mail = () => (
  <g transform="translate(118 36)">
    <Envelope paper="var(--float)" fold="var(--brand)" />
  </g>
);

const Link = () => (
  <>
    <g transform="translate(80 45) scale(.68)">
      <Envelope paper="var(--float)" fold="var(--brand)" />
    </g>
    <path className={styles.route} d="M168 68h28" />
    <g transform="translate(236 68) scale(.52)">
      <AppIcon />
    </g>
  </>
);

const Declined = () => (
  <g transform="translate(172 68) scale(.48) translate(-320 -376)">
    <DeclinedCard />
  </g>
);

function Lost({ t }: Words) {
  return (
    <>
      <circle cx="214" cy="78" r="36" fill="var(--brand)" opacity=".12" />
      <path className={styles.route} d="M206 95C188 106 168 94 156 66S124 36 114 84" />
      <Place at={[112, 92]} sign="home" size={14} flat />
      <g transform="translate(214 92) scale(.8)">
        <Pin at={[0, 0]} initial={t('scene.unknown')} color="var(--brand)" />
      </g>
    </>
  );
}

const pictures = {
  map: Alone,
  plans: Plans,
  mail: Mail,
  link: Link,
  alerts: Note,
  chat: Chat,
  guide: Guide,
  declined: Declined,
  lost: Lost,
};

type Props = Words & {
  of: SmallPictureKind;
  /** A strip of 80 px, which shows more of the city where it is wide. */
  low?: boolean;
};

/** A small decorative picture from the same city. */
export function SmallPicture({ t, of, low = false }: Props) {
  const Picture = pictures[of];
  return (
    <svg
      className={`${styles.smallPicture} ${styles.turned}`}
      viewBox={low ? '0 28 343 80' : (frames[of] ?? '0 20 343 96')}
      preserveAspectRatio={low ? undefined : 'xMidYMid slice'}
      aria-hidden="true"
    >
      <use href="#city" transform="translate(-150 -330)" />
      <Picture t={t} />
    </svg>
  );
}
