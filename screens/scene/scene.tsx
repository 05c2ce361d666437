import { timeOfDay } from '../../locales/format/date-text.ts';
import { sentencesOf } from '../../locales/format/sentences.ts';
import type { Text } from '../../locales/index.ts';
import { AlertNote, Alerts, Chat, chatTime, GuideCover, Lost } from './app-pages.tsx';
import { AppSheet, type MapState, Question } from './app-sheet.tsx';
import { Pin, Place } from './drawing-parts.tsx';
import { AppLink, Declined, Mail, NewCard, PaidDays } from './emblems.tsx';
import { PhoneFrame } from './phone-frame.tsx';
import styles from './scene.module.css';

/**
 * `number`, `ring`, `pin`: the visitor's question, with nobody on the map; `app`: both people, once they agreed;
 * `plan`: the same as an example;
 * `pair`: one phone that is asked, and the map of both;
 * `asked`: the question before it is sent; `alerts`, `chat`, `guide`: the extras; `card`, `declined`:
 * the card; `days`: a calendar; `mail`: an
 * envelope; `link`: an e-mail that opens the app; `lost`: a path to nowhere; `account`: a calendar, or `number` while inviting.
 */
export type SceneState = MapState | keyof typeof pages | 'account';

/** States without a map. */
const pages = {
  alerts: Alerts,
  asked: Asked,
  card: NewCard,
  chat: Chat,
  days: PaidDays,
  declined: Declined,
  guide: GuideCover,
  link: AppLink,
  lost: Lost,
  mail: Mail,
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

function BothPeople() {
  return (
    <g transform="translate(0 -80)">
      <circle cx="320" cy="410" r="104" fill="var(--brand)" opacity=".1" />
      <Place at={[320, 340]} sign="home" />
      <Pin at={[288, 432]} color="var(--brand)" />
      <Pin at={[352, 432]} color="var(--other)" />
    </g>
  );
}

/** The text message as its reader will see it; the page's form writes its words. Nobody has been asked yet. */
function Asked({ t }: Pick<Props, 't'>) {
  return (
    <g className={styles.arriving}>
      <rect className={styles.shade} x="187" y="198" width="266" height="160" rx="24" />
      <rect fill="var(--surface)" x="187" y="196" width="266" height="158" rx="24" />
      <foreignObject x="207" y="212" width="226" height="126">
        <p className={styles.message} data-message="">
          {t('scene.question')}
        </p>
      </foreignObject>
    </g>
  );
}

/** The map with the app's sheet over it. Before both have agreed nobody is on it, except in an example that says so. */
function AppMap({ t, state }: { t: Text; state: MapState }) {
  const agreed = state === 'app' || state === 'pair';
  return (
    <>
      {agreed && <BothPeople />}
      {state === 'plan' && (
        <>
          <Pin at={[280, 432]} color="var(--brand)" />
          <Pin at={[360, 402]} color="var(--other)" />
        </>
      )}
      {!agreed && state !== 'plan' && <Question t={t} arriving={state === 'number'} />}
      {state === 'ring' && <path className={styles.covered} d="M175 145h290v490H175z" />}
      <AppSheet t={t} state={state} />
    </>
  );
}

/** The status bar's time; none on a lock screen, which shows it larger. */
function clockOf(state: SceneState, language: string): string | undefined {
  if (state === 'alerts') return '';
  return state === 'chat' ? timeOfDay(chatTime, language, true) : undefined;
}

const isPage = (state: SceneState): state is keyof typeof pages => state in pages;

type GlassProps = Pick<Props, 't' | 'language' | 'state' | 'alert'>;

function Glass({ t, language, state, alert = false }: GlassProps) {
  const contentOf = (of: SceneState) => {
    if (of === 'account') {
      return (
        <>
          <g className={styles.before}>
            <PaidDays />
          </g>
          <g className={styles.after}>
            <AppMap t={t} state="number" />
          </g>
        </>
      );
    }
    if (!isPage(of)) return <AppMap t={t} state={of} />;
    const Page = pages[of];
    const page = <Page t={t} language={language} />;
    if (of !== 'chat' && of !== 'guide') return page;
    // Once nothing is offered any more, the invitation follows.
    return (
      <>
        <g data-offered="">{page}</g>
        <g data-next="" display="none">
          <AppMap t={t} state="number" />
        </g>
      </>
    );
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
            <g transform="translate(-44 52) scale(.75)">
              <PhoneFrame>
                <Glass {...shown} state="number" />
              </PhoneFrame>
            </g>
            <g transform="translate(204 138) scale(.75)">
              <PhoneFrame camera="hole">
                <Glass {...shown} />
              </PhoneFrame>
            </g>
          </>
        ) : (
          <PhoneFrame clock={clockOf(state, language)}>
            <Glass {...shown} />
          </PhoneFrame>
        )}
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
