import type { Text } from '../../locales/index.ts';
import styles from './scene.module.css';
import { City } from './scene-city.tsx';
import { Sheet } from './scene-sheet.tsx';

/** Where the visitor is on the way: the two pins come closer from left to right. */
export type SceneState = 'number' | 'ring' | 'pin' | 'plan' | 'app';

type Point = readonly [x: number, y: number];

const places: Record<SceneState, readonly [you: Point, them: Point]> = {
  number: [
    [242, 512],
    [404, 276],
  ],
  ring: [
    [242, 512],
    [370, 318],
  ],
  pin: [
    [250, 500],
    [386, 340],
  ],
  plan: [
    [262, 490],
    [376, 384],
  ],
  app: [
    [288, 432],
    [352, 432],
  ],
};

function Pin({ at: [x, y], initial, color }: { at: Point; initial: string; color: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <ellipse rx="11" ry="4" opacity=".18" />
      <path
        fill={color}
        stroke="var(--surface)"
        strokeWidth="4"
        d="M0 0c-5-9-26-16-26-40a26 26 0 0 1 52 0c0 24-21 31-26 40z"
      />
      <text className={styles.initial} y="-32">
        {initial}
      </text>
    </g>
  );
}

type Props = {
  t: Text;
  state: SceneState;
  /** Whether phones show it too. */
  band?: boolean;
};

/** The one picture of the product: a city, a phone, two people on its map. Decoration only. */
export function Scene({ t, state, band = true }: Props) {
  const [you, them] = places[state];
  const [x, y] = them;
  return (
    <div className={band ? styles.scene : `${styles.scene} ${styles.wide}`} data-scene={state}>
      <svg
        className={styles.drawing}
        viewBox="0 0 640 900"
        preserveAspectRatio="xMidYMid slice"
        aria-hidden="true"
      >
        <City />
        <linearGradient id="fade" x2="0" y2="1">
          <stop className={styles.stop} offset=".4" />
          <stop className={styles.stop} offset="1" stopOpacity="0" />
        </linearGradient>
        <path className={styles.fade} fill="url(#fade)" d="M-60-60H700V230H-60z" />
        <rect className={styles.shade} x="162" y="146" width="316" height="632" rx="54" />
        <rect className={styles.device} x="166" y="136" width="308" height="628" rx="50" />
        <clipPath id="glass">
          <rect x="175" y="145" width="290" height="610" rx="41" />
        </clipPath>
        <g clipPath="url(#glass)">
          <use href="#city" transform="translate(-170 -150) scale(1.5)" />
          {state === 'ring' && (
            <g className={styles.rings} fill="var(--other)">
              <circle cx={x} cy={y} r="44" />
              <circle cx={x} cy={y} r="84" />
              <circle cx={x} cy={y} r="128" />
            </g>
          )}
          {state === 'pin' && <circle cx={x} cy={y} r="62" fill="var(--other)" opacity=".14" />}
          {state === 'app' && <circle cx="320" cy="410" r="104" fill="var(--brand)" opacity=".1" />}
          {state !== 'app' && (
            <path
              className={styles.route}
              d={`M${you[0]} ${you[1]}Q${you[0]} ${y + 40} ${x} ${y}`}
            />
          )}
          <Pin at={you} initial={t('scene.you')} color="var(--brand)" />
          <Pin at={them} initial={t('scene.them')} color="var(--other)" />
          <Sheet t={t} state={state} />
        </g>
        <rect className={styles.device} x="282" y="157" width="76" height="18" rx="9" />
      </svg>
    </div>
  );
}
