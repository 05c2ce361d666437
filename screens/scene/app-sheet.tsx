import type { Text } from '../../locales/index.ts';
import { Person, Place, Say } from './drawing-parts.tsx';
import styles from './scene.module.css';

type Words = { t: Text };

const row = 'var(--line)';

function Asking({ t }: Words) {
  return (
    <>
      <Person at={[224, 632]} initial={t('scene.you')} color="var(--brand)" />
      <Say at={[258, 627]}>{t('scene.sender')}</Say>
      <Say at={[258, 650]} as="soft" fit={186}>
        {t('scene.question')}
      </Say>
      <Standing>{t('scene.agree')}</Standing>
    </>
  );
}

function Checking({ t }: Words) {
  return (
    <>
      <g className={styles.missing}>
        <Asking t={t} />
      </g>
      <g className={styles.before}>
        <Person at={[224, 632]} initial={t('scene.unknown')} color="var(--edge)" />
        <Say at={[258, 638]} fit={186}>
          {t('searching.title')}
        </Say>
      </g>
      <g className={styles.after}>
        <g transform="translate(224 632)">
          <circle r="20" fill="var(--success)" />
          <path
            className={styles.turned}
            fill="none"
            stroke="var(--surface)"
            strokeWidth="4"
            strokeLinecap="round"
            strokeLinejoin="round"
            d="M-8 1l6 6 11-13"
          />
        </g>
        <Say at={[258, 638]} fit={186}>
          {t('number.checked')}
        </Say>
      </g>
      <g className={styles.present}>
        <Standing>{t('scene.nobody')}</Standing>
      </g>
    </>
  );
}

const Rule = () => <path stroke={row} d="M199 676h242" />;

function Standing({ children }: { children: string }) {
  return (
    <>
      <Rule />
      <Say at={[320, 710]} as="note">
        {children}
      </Say>
    </>
  );
}

function Ready({ t }: Words) {
  return (
    <>
      <g className={styles.unknown} data-unknown="">
        <Asking t={t} />
      </g>
      <g data-known="">
        <Person at={[224, 632]} initial={t('scene.them')} color="var(--other)" />
        <Say at={[258, 628]}>{t('scene.name')}</Say>
        <path
          stroke="var(--edge)"
          strokeWidth="5"
          strokeLinecap="round"
          strokeDasharray="0 11"
          d="M261 647h34M306 647h34M351 647h34"
        />
        <Standing>{t('scene.nobody')}</Standing>
      </g>
    </>
  );
}

/** Larger than on a single phone, because two phones are half as large. */
function Together({ t, theirs }: Words & { theirs: boolean }) {
  return (
    <g transform="translate(-60 -190) scale(1.3)">
      {theirs ? (
        <Person at={[220, 628]} initial={t('scene.you')} color="var(--brand)" />
      ) : (
        <Person at={[220, 628]} initial={t('scene.them')} color="var(--other)" />
      )}
      <Say at={[252, 634]} fit={146}>
        {t(theirs ? 'scene.sender_home' : 'alerts.home.title')}
      </Say>
      <Say at={[292, 698]} as="note">
        {t('scene.agree')}
      </Say>
    </g>
  );
}

/** Both people, as each of them sees the other. */
function Sharing({ t }: Words) {
  const people = [
    [t('scene.you'), t('scene.sender'), 'var(--brand)', 622],
    [t('scene.them'), t('scene.name'), 'var(--other)', 676],
  ] as const;
  return (
    <>
      {people.map(([initial, name, color, y]) => (
        <g key={name}>
          <Person at={[224, y]} initial={initial} color={color} />
          <Say at={[260, y + 6]}>{name}</Say>
          <circle cx="430" cy={y} r="6" fill="var(--success)" />
        </g>
      ))}
      <path stroke={row} d="M199 706h242" />
      <Say at={[320, 733]} as="note">
        {t('scene.agree')}
      </Say>
    </>
  );
}

const included = [
  ['pin', 'live', 690],
  ['bell', 'places', 722],
] as const;

function Planned({ t }: Words) {
  return (
    <>
      <Person at={[224, 620]} initial={t('scene.them')} color="var(--other)" />
      <Say at={[258, 616]}>{t('scene.name')}</Say>
      <Say at={[258, 638]} as="soft" fit={186}>
        {t('scene.agree')}
      </Say>
      <path stroke={row} d="M199 662h242" />
      {included.map(([sign, feature, y]) => (
        <g key={feature}>
          <Place at={[224, y]} sign={sign} size={18} flat />
          <Say at={[258, y + 5]} as="soft">
            {t(`features.${feature}.title`)}
          </Say>
        </g>
      ))}
    </>
  );
}

const contents = {
  number: Asking,
  pair: Together,
  ring: Checking,
  pin: Ready,
  plan: Planned,
  app: Sharing,
};

type Props = Words & {
  state: MapState;
  /** Whether this is the other person's phone. */
  theirs?: boolean;
};

/** The part of the phone's screen below its map. */
export function AppSheet({ t, state, theirs = false }: Props) {
  const Content = contents[state];
  return (
    <>
      <path className={styles.shade} d="M175 604a28 28 0 0 1 28-28h234a28 28 0 0 1 28 28z" />
      <path fill="var(--surface)" d="M175 606a28 28 0 0 1 28-28h234a28 28 0 0 1 28 28v150H175z" />
      <Content t={t} theirs={theirs} />
    </>
  );
}

export type MapState = 'number' | 'pair' | 'ring' | 'pin' | 'plan' | 'app';
