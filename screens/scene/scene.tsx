import { timeOfDay } from '../../locales/format/date-text.ts';
import { sentencesOf } from '../../locales/format/sentences.ts';
import type { Text } from '../../locales/index.ts';
import { AlertNote, Alerts, Chat, chatTime, GuideCover, Lost } from './app-pages.tsx';
import { AppSheet, type MapState } from './app-sheet.tsx';
import { Pin, Place, type Point } from './drawing-parts.tsx';
import { AppLink, Declined, Mail, NewCard, PaidDays } from './emblems.tsx';
import { PhoneFrame } from './phone-frame.tsx';
import { PlanBesideCard, PlanMap } from './plan-art.tsx';
import styles from './scene.module.css';

/**
 * The visitor's progress: the two pins come closer from `number` to `app`. `pair`: two phones with one map;
 * `alerts`, `chat`, `guide`: the extras; `card`, `declined`: the card; `days`: a calendar; `mail`: an
 * envelope; `link`: an e-mail that opens the app; `lost`: a path to nowhere; `account`: a calendar, or `number` while inviting.
 */
export type SceneState = MapState | keyof typeof pages | 'account';

/** States without a map. */
const pages = {
  alerts: Alerts,
  card: NewCard,
  chat: Chat,
  days: PaidDays,
  declined: Declined,
  guide: GuideCover,
  link: AppLink,
  lost: Lost,
  mail: Mail,
};

const together: readonly [you: Point, them: Point] = [
  [288, 432],
  [352, 432],
];

const places: Record<MapState, typeof together> = {
  number: [
    [242, 512],
    [404, 296],
  ],
  pair: together,
  ring: [
    [242, 512],
    [370, 328],
  ],
  pin: [
    [250, 500],
    [386, 340],
  ],
  plan: [
    [262, 490],
    [376, 384],
  ],
  app: together,
};

type Props = {
  t: Text;
  language: string;
  state: SceneState;
  /** Whether phones show the picture too. */
  band?: boolean;
  alert?: boolean | undefined;
  caption?: string | undefined;
};

function Around({ state }: { state: MapState }) {
  const [, [x, y]] = places[state];
  if (state === 'app' || state === 'pair') {
    return <circle cx="320" cy="410" r="104" fill="var(--brand)" opacity=".1" />;
  }
  return (
    <>
      {state === 'ring' && (
        <g className={`${styles.rings} ${styles.present} ${styles.sought}`}>
          <circle cx={x} cy={y - 30} r="80" />
        </g>
      )}
      {state === 'pin' && (
        <circle data-known="" cx={x} cy={y} r="62" fill="var(--other)" opacity=".14" />
      )}
    </>
  );
}

type MapProps = { t: Text; state: MapState; theirs: boolean; alert: boolean };

/** The shared map with the app's sheet over it. */
function Together({ t, state, theirs, alert }: MapProps) {
  const [you, them] = places[state];
  const home = <Place at={places[state] === together ? [320, 340] : [428, 470]} sign="home" />;
  return (
    <>
      {state === 'plan' ? (
        <PlanMap t={t} arrived={alert} />
      ) : (
        <>
          <Around state={state} />
          {home}
          <Pin at={you} initial={t('scene.you')} color="var(--brand)" />
          <g className={state === 'ring' ? styles.unplaced : undefined}>
            <Pin
              at={them}
              initial={t(state === 'ring' ? 'scene.unknown' : 'scene.them')}
              color={state === 'ring' ? 'var(--edge)' : 'var(--other)'}
              invited={places[state] !== together}
            />
          </g>
        </>
      )}
      {state === 'ring' && <path className={styles.covered} d="M175 145h290v490H175z" />}
      <AppSheet t={t} state={state} theirs={theirs} />
    </>
  );
}

/** The status bar's time; none on a lock screen, which shows it larger. */
function clockOf(state: SceneState, language: string): string | undefined {
  if (state === 'alerts') return '';
  return state === 'chat' ? timeOfDay(chatTime, language, true) : undefined;
}

const isPage = (state: SceneState): state is keyof typeof pages => state in pages;

type GlassProps = Pick<Props, 't' | 'language' | 'state' | 'alert'> & {
  /** Whether this is the other person's phone. */
  theirs?: boolean;
};

function Glass({ t, language, state, alert = false, theirs = false }: GlassProps) {
  const contentOf = (of: SceneState) => {
    if (of === 'account') {
      return (
        <>
          <g className={styles.before}>
            <PaidDays />
          </g>
          <g className={styles.after}>
            <Together {...{ t, theirs, alert }} state="number" />
          </g>
        </>
      );
    }
    if (!isPage(of)) return <Together {...{ t, theirs, alert }} state={of} />;
    const Page = pages[of];
    return <Page t={t} language={language} />;
  };
  return (
    <>
      <use href="#city" transform="translate(-170 -150) scale(1.5)" />
      {contentOf(state)}
      {alert && <AlertNote t={t} note="home" sign="home" y={194} />}
    </>
  );
}

/** A decorative picture of the product: a city, a phone, two people on its map. */
export function Scene({ t, language, state, band = true, alert, caption }: Props) {
  const shown = { t, language, state, alert };
  const [sentence, ...rest] = sentencesOf(caption ?? '');
  return (
    <div
      className={[
        styles.scene,
        band || styles.wide,
        (state === 'pin' || state === 'lost') && styles.besideCard,
      ]
        .filter((name) => typeof name === 'string')
        .join(' ')}
      data-scene={state}
    >
      <svg
        className={styles.drawing}
        viewBox="0 0 640 900"
        preserveAspectRatio="xMidYMid slice"
        aria-hidden="true"
      >
        <use href="#city" />
        <clipPath id="glass">
          <rect x="175" y="145" width="290" height="610" rx="41" />
        </clipPath>
        {state === 'pair' ? (
          <>
            <g transform="translate(-62 40) scale(.84)">
              <PhoneFrame>
                <Glass {...shown} />
              </PhoneFrame>
            </g>
            <g transform="translate(172 114) scale(.84)">
              <PhoneFrame camera="hole">
                <Glass {...shown} theirs />
              </PhoneFrame>
            </g>
          </>
        ) : (
          <g className={state === 'plan' ? styles.phone : undefined}>
            <PhoneFrame clock={clockOf(state, language)}>
              <Glass {...shown} />
            </PhoneFrame>
          </g>
        )}
        {state === 'plan' && <PlanBesideCard t={t} />}
      </svg>
      {caption && (
        <p className={`small strong ${styles.caption}`}>
          {sentence}
          <br />
          {rest.join(' ')}
        </p>
      )}
    </div>
  );
}
