import type { Text } from '../../locales/index.ts';
import type { IconName } from './icon.tsx';
import styles from './scene.module.css';
import { Pin, Place, Say } from './scene-bits.tsx';
import { City } from './scene-city.tsx';
import frame from './vignette.module.css';

/** What a small picture tells: both on one map, a note, a chat of two, the guide. */
export type VignetteKind = 'map' | 'alerts' | 'an_private' | 'guide';

type Words = { t: Text };

function Both({ t }: Words) {
  return (
    <>
      <Place at={[58, 98]} sign="home" />
      <Place at={[284, 46]} sign="school" />
      <circle cx="172" cy="74" r="60" fill="var(--brand)" opacity=".12" />
      <Pin at={[144, 100]} initial={t('scene.you')} color="var(--brand)" />
      <Pin at={[200, 100]} initial={t('scene.them')} color="var(--other)" />
    </>
  );
}

function Note({
  t,
  note,
  sign,
  y,
}: Words & { note: 'home' | 'school'; sign: IconName; y: number }) {
  return (
    <>
      <rect className={styles.shade} x="28" y={y + 3} width="287" height="60" rx="16" />
      <rect x="28" y={y} width="287" height="60" rx="16" fill="var(--surface)" />
      <circle cx="60" cy={y + 30} r="18" fill="var(--tint)" />
      <Place at={[60, y + 30]} sign={sign} size={14} />
      <Say at={[90, y + 26]}>{t(`alerts.${note}.title`)}</Say>
      <Say at={[90, y + 46]} as="soft">
        {t(`alerts.${note}.text`)}
      </Say>
    </>
  );
}

function Notes({ t }: Words) {
  return (
    <>
      <Note t={t} note="home" sign="home" y={6} />
      <Note t={t} note="school" sign="school" y={70} />
    </>
  );
}

const said = 'M46 12h176a18 18 0 0 1 18 18v12a18 18 0 0 1-18 18H28V30a18 18 0 0 1 18-18z';

function Chat({ t }: Words) {
  return (
    <>
      <path className={styles.shade} d={said} transform="translate(0 3)" />
      <path fill="var(--surface)" d={said} />
      <Say at={[48, 42]}>{t('scene.ask')}</Say>
      <path
        fill="var(--brand)"
        d="M137 74h160a18 18 0 0 1 18 18v30H137a18 18 0 0 1-18-18v-12a18 18 0 0 1 18-18z"
      />
      <Say at={[217, 104]} as="action">
        {t('scene.answer')}
      </Say>
      <Place at={[284, 38]} sign="quiet" size={20} />
    </>
  );
}

function Booklet() {
  return (
    <>
      <path className={styles.shade} d="M60 22h224v126H60z" />
      <path fill="var(--surface)" d="M56 16h116v128H56zM172 16h116v128H172z" />
      <path fill="var(--brand)" d="M72 32h62v10H72z" />
      <path
        fill="none"
        stroke="var(--line)"
        strokeWidth="6"
        strokeLinecap="round"
        d="M172 16v128M75 64h78M75 82h78M75 100h54M75 118h66"
      />
      <Place at={[206, 50]} sign="phone" size={18} />
      <Place at={[254, 50]} sign="school" size={18} />
      <Place at={[206, 100]} sign="travel" size={18} />
      <Place at={[254, 100]} sign="alert" size={18} />
    </>
  );
}

const pictures = { map: Both, alerts: Notes, an_private: Chat, guide: Booklet };

/** A small picture out of the same city. Decoration only. */
export function Vignette({ t, of }: Words & { of: VignetteKind }) {
  const Picture = pictures[of];
  return (
    <svg
      className={`${frame.vignette} ${styles.turned}`}
      viewBox="0 0 343 136"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <g transform="translate(-150 -330)">
        <City id="tile" />
      </g>
      <Picture t={t} />
    </svg>
  );
}
