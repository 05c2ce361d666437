import type { Text } from '../../locales/index.ts';
import { Pin, Place, type Point } from './drawing-parts.tsx';
import styles from './scene.module.css';

type Words = { t: Text };

/** Periods of plans: the scene shows the one whose radio is checked. */
const covers = ['intro', 'month', 'quarter'] as const;

type Pair = readonly [you: Point, them: Point];

/** An outline until the other person has agreed. */
function Apart({ t, at: [you, them], agreed = false }: Words & { at: Pair; agreed?: boolean }) {
  return (
    <>
      <Pin at={you} initial={t('scene.you')} color="var(--brand)" />
      <Pin at={them} initial={t('scene.them')} color="var(--other)" invited={!agreed} />
    </>
  );
}

const onPhone = {
  intro: [
    [250, 510],
    [392, 322],
  ],
  month: [
    [262, 490],
    [376, 384],
  ],
  quarter: [
    [284, 450],
    [356, 424],
  ],
} as const;

/** The longer the plan, the closer the two people. `arrived`: the other person is at home. */
export const PlanMap = ({ t, arrived }: Words & { arrived: boolean }) =>
  covers.map((one) => {
    const [x, y] = onPhone[one][1];
    return (
      <g key={one} className={styles[one]}>
        <Place at={arrived ? [x + 40, y - 16] : [428, 470]} sign="home" />
        <Apart t={t} at={onPhone[one]} agreed={arrived} />
      </g>
    );
  });

const besideCard = {
  intro: [
    [46, 690],
    [594, 270],
  ],
  month: [
    [46, 590],
    [594, 350],
  ],
  quarter: [
    [46, 500],
    [594, 440],
  ],
} as const;

/** The two people on both sides of the order, which covers part of the map. */
export const PlanBesideCard = ({ t }: Words) => (
  <g className={styles.beside}>
    {covers.map((one) => (
      <g key={one} className={styles[one]}>
        <Apart t={t} at={besideCard[one]} />
      </g>
    ))}
  </g>
);
