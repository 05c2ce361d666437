import type { Text } from '../../locales/index.ts';
import { drawings } from '../parts/icon.tsx';
import { Figure, Person, Pin, Place, Presence, Say } from './drawing-parts.tsx';
import own from './feature-picture.module.css';
import styles from './scene.module.css';

type Words = { t: Text };

function Sheet({ x, y, width, height }: Record<'x' | 'y' | 'width' | 'height', number>) {
  return (
    <>
      <rect className={styles.shade} x={x} y={y + 3} width={width} height={height} rx="12" />
      <rect x={x} y={y} width={width} height={height} rx="12" fill="var(--float)" />
    </>
  );
}

const Small = ({ x, y, other = false }: { x: number; y: number; other?: boolean }) => (
  <g transform={`translate(${x} ${y}) scale(.52)`}>
    <Pin at={[0, 0]} color={other ? 'var(--other)' : 'var(--brand)'} />
  </g>
);

const Live = () => (
  <>
    <circle cx="52" cy="78" r="30" fill="var(--brand)" opacity=".14" />
    <circle cx="114" cy="58" r="30" fill="var(--other)" opacity=".16" />
    <Small x={52} y={86} />
    <Small x={114} y={66} other />
  </>
);

const History = () => (
  <>
    <path className={own.path} d="M26 92C48 92 42 58 66 62S92 84 112 70 122 40 140 44" />
    {[
      [26, 92],
      [66, 62],
      [112, 70],
    ].map(([cx, cy]) => (
      <circle
        key={cx}
        cx={cx}
        cy={cy}
        r="6"
        fill="var(--float)"
        stroke="var(--brand)"
        strokeWidth="3"
      />
    ))}
    <Small x={140} y={48} />
  </>
);

const Places = ({ t }: Words) => (
  <>
    <circle
      cx="58"
      cy="83"
      r="29"
      fill="var(--success)"
      fillOpacity=".14"
      stroke="var(--success)"
      strokeWidth="2"
    />
    <Place at={[46, 84]} sign="home" size={11} flat />
    <Sheet x={36} y={8} width={119} height={38} />
    <Place at={[56, 27]} sign="bell" size={12} flat />
    <Say at={[74, 32]} as="soft" fit={68}>
      {t('alerts.home.text')}
    </Say>
    <Small x={70} y={100} other />
  </>
);

const Checkin = () => (
  <>
    <Small x={52} y={94} other />
    <Sheet x={64} y={22} width={44} height={44} />
    <circle cx="86" cy="44" r="12" fill="var(--success)" />
    <g transform="translate(86 44)">
      <path className={`${styles.turned} ${own.tick}`} d="M-5 0l4 4 7-8" />
    </g>
  </>
);

const Sos = () => (
  <>
    <circle cx="84" cy="58" r="50" fill="var(--danger)" opacity=".12" />
    <circle cx="84" cy="58" r="38" fill="var(--danger)" opacity=".2" />
    <circle cx="84" cy="58" r="27" fill="var(--danger)" />
    <path
      className={own.tick}
      transform="translate(84 57) scale(1.3) translate(-12 -12)"
      d={drawings.alert}
    />
  </>
);

const Groups = () => (
  <>
    {[18, 62].map((y, at) => (
      <g key={y}>
        <Sheet x={40 + at * 9} y={y} width={88 - at * 18} height={36} />
        {[0, 1, 2].slice(at).map((one) => (
          <g key={one} transform={`translate(${one * 22 + 62 - at * 11} ${y + 18}) scale(.6)`}>
            <Person at={[0, 0]} color={one === 1 ? 'var(--other)' : 'var(--brand)'} />
          </g>
        ))}
      </g>
    ))}
  </>
);

const Chat = ({ t }: Words) => (
  <>
    <rect x="42" y="20" width="112" height="34" rx="12" fill="var(--brand)" />
    <Say at={[98, 43]} as="action" fit={88}>
      {t('scene.ask')}
    </Say>
    <Sheet x={14} y={62} width={112} height={34} />
    <Say at={[70, 85]} as="middle" fit={88}>
      {t('scene.answer')}
    </Say>
  </>
);

const Quiet = () => (
  <>
    <circle cx="84" cy="58" r="42" fill="var(--brand)" opacity=".12" />
    <g transform="translate(84 58) scale(1.3)">
      <circle r="22" fill="var(--brand)" stroke="var(--surface)" strokeWidth="3" />
      <Figure at={[0, 1]} fill="var(--on-brand)" />
      <Presence at={[18, 15]} />
    </g>
  </>
);

const pictures = {
  live: Live,
  history: History,
  places: Places,
  checkin: Checkin,
  sos: Sos,
  groups: Groups,
  chat: Chat,
  quiet: Quiet,
};

/** The part of the app's screen that shows a feature, on the map that all scenes share. */
export function FeaturePicture({ t, of }: Words & { of: keyof typeof pictures }) {
  const Picture = pictures[of];
  return (
    <svg
      className={`${styles.smallPicture} ${styles.turned} ${styles.feature}`}
      viewBox="0 0 168 116"
      aria-hidden="true"
    >
      <use href="#city" transform="translate(-190 -330)" />
      <Picture t={t} />
    </svg>
  );
}
