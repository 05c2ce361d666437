import type { Text } from '../../locales/index.ts';
import { Person, Say, Whom } from './drawing-parts.tsx';
import styles from './scene.module.css';

type Words = { t: Text };

const row = 'var(--line)';

/**
 * The visitor's question on the other person's phone, where a phone shows what arrives.
 * @param arriving whether it arrives, once and slowly
 */
export function Question({ t, arriving = false }: Words & { arriving?: boolean }) {
  return (
    <g className={arriving ? styles.arriving : undefined}>
      <rect className={styles.shade} x="187" y="198" width="266" height="160" rx="24" />
      <rect fill="var(--surface)" x="187" y="196" width="266" height="158" rx="24" />
      <Person at={[224, 246]} color="var(--brand)" />
      <g data-sender="">
        <Say at={[258, 241]}>{t('scene.you')}</Say>
      </g>
      <Say at={[258, 264]} as="soft" fit={186}>
        {t('scene.question')}
      </Say>
      {(['decline', 'accept'] as const).map((answer, at) => (
        <g key={answer} transform={`translate(${at * 125})`}>
          <rect className={styles.answer} x="199" y="290" width="117" height="48" rx="12" />
          <Say at={[257, 320]} as="middle" fit={100}>
            {t(`scene.${answer}`)}
          </Say>
        </g>
      ))}
    </g>
  );
}

const Agreement = ({ t, y = 660 }: Words & { y?: number }) => (
  <Say at={[320, y]} as="note">
    {t('scene.agree')}
  </Say>
);

function Checking({ t }: Words) {
  return (
    <>
      <g className={styles.missing}>
        <Agreement t={t} />
      </g>
      <g className={styles.present}>
        <g className={styles.before}>
          <Person at={[224, 632]} color="var(--edge)" />
          <Say at={[258, 650]} as="soft" fit={186}>
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
          <Say at={[258, 650]} as="soft" fit={186}>
            {t('number.checked')}
          </Say>
        </g>
        <Whom at={[258, 627]} unknown="" />
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
        <Agreement t={t} />
      </g>
      <g data-known="">
        <Person at={[224, 632]} color="var(--other)" />
        <Whom at={[258, 627]} unknown="" />
        <Say at={[258, 650]} as="soft" fit={186}>
          {t('number.checked')}
        </Say>
        <Standing>{t('scene.nobody')}</Standing>
      </g>
    </>
  );
}

/** Larger than on a single phone, because two phones are half as large. */
function Together({ t }: Words) {
  return (
    <g transform="translate(-60 -190) scale(1.3)">
      <Person at={[258, 628]} color="var(--other)" />
      <Person at={[224, 628]} color="var(--brand)" />
      <Say at={[290, 634]} fit={110}>
        {t('features.live.title')}
      </Say>
      <Say at={[292, 698]} as="note">
        {t('scene.agree')}
      </Say>
    </g>
  );
}

/** Both people, as each of them sees the other; before they have agreed, as an example. */
function Sharing({ t, note = 'agree' }: Words & { note?: 'agree' | 'example' }) {
  return (
    <>
      <Person at={[224, 622]} color="var(--brand)" />
      <Person at={[224, 676]} color="var(--other)" />
      <Say at={[260, 628]}>{t('scene.you')}</Say>
      <Whom at={[260, 682]} unknown={t('scene.other')} />
      <Say at={[320, 733]} as="note" fit={242}>
        {t(`scene.${note}`)}
      </Say>
    </>
  );
}

const Planned = ({ t }: Words) => <Sharing t={t} note="example" />;

const contents = {
  pair: Together,
  ring: Checking,
  pin: Ready,
  plan: Planned,
  app: Sharing,
};

/** The part of the phone's screen below its map. */
export function AppSheet({ t, state }: Words & { state: MapState }) {
  const top = state === 'number' ? 676 : 576;
  const Content = state === 'number' ? null : contents[state];
  return (
    <>
      <rect className={styles.shade} x="175" y={top} width="290" height="250" rx="28" />
      <rect fill="var(--surface)" x="175" y={top + 2} width="290" height="250" rx="28" />
      {Content ? <Content t={t} /> : <Agreement t={t} y={722} />}
    </>
  );
}

export type MapState = 'number' | 'pair' | 'ring' | 'pin' | 'plan' | 'app';
