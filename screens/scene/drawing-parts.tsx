import { drawings, type IconName } from '../parts/icon.tsx';
import styles from './scene.module.css';

export type Point = readonly [x: number, y: number];

type SayProps = {
  at: Point;
  /**
   * `name`: semibold; `middle`: the same, centred; `soft`: smaller and lighter; `note`: the same,
   * centred; `action`: centred on the brand colour; `hour`: large.
   */
  as?: 'name' | 'middle' | 'soft' | 'note' | 'action' | 'hour';
  /** The available width; a longer text is set smaller. */
  fit?: number;
  children: string;
};

const square = /[\u3000-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
const cyrillic = /[\u0400-\u04ff]/g;

/** Width of a text in units of Latin letters. */
function lettersOf(text: string): number {
  const count = (script: RegExp) => text.match(script)?.length ?? 0;
  return text.length + count(square) * 0.8 + count(cyrillic) * 0.25;
}

/** Text in the drawing; stays readable when the drawing is mirrored. */
export function Say({ at: [x, y], as = 'name', fit, children }: SayProps) {
  const size = as === 'soft' || as === 'note' ? 7.2 : 9.4;
  const scale = fit === undefined ? 1 : Math.min(1, fit / (lettersOf(children) * size));
  const place = `translate(${x} ${y})`;
  return (
    <g transform={scale < 1 ? `${place} scale(${scale.toFixed(2)})` : place}>
      <text className={as === 'name' ? styles.say : `${styles.say} ${styles[as]}`}>{children}</text>
    </g>
  );
}

const narrow = /[\s.,:;'’iljtIі،اأإآل]/g;

/** Width of a message, whose narrow letters are half as wide. */
function messageWidth(text: string): number {
  const count = (script: RegExp) => text.match(script)?.length ?? 0;
  return 10 * (text.length + count(square) * 0.8 + count(cyrillic) * 0.2 - count(narrow) / 2);
}

type BubbleProps = {
  /** The lower corner that points to the author. */
  at: Point;
  height: number;
  /** Fill of somebody else's message; one's own has the brand colour. */
  theirs?: string;
  /** Whether it floats over the map. */
  shade?: boolean;
  children: string;
};

export function Bubble({ at: [x, y], height, theirs, shade = false, children }: BubbleProps) {
  const width = Math.min(236, Math.round(messageWidth(children) + 38));
  const round = height > 36 ? 18 : 14;
  const arc = (to: string) => `a${round} ${round} 0 0 1 ${to}`;
  const d = `M0 0v${round - height}${arc(`${round}-${round}`)}h${width - 2 * round}${arc(`${round} ${round}`)}v${height - 2 * round}${arc(`-${round} ${round}`)}z`;
  const side = theirs ? 1 : -1;
  return (
    <g transform={`translate(${x} ${y})`}>
      {shade && (
        <path className={styles.shade} d={d} transform={`translate(0 3) scale(${side} 1)`} />
      )}
      <path fill={theirs ?? 'var(--brand)'} d={d} transform={`scale(${side} 1)`} />
      <Say at={[(side * width) / 2, 6 - height / 2]} as={theirs ? 'middle' : 'action'}>
        {children}
      </Say>
    </g>
  );
}

export const Figure = ({ at: [x, y], fill }: { at: Point; fill: string }) => (
  <path
    fill={fill}
    transform={`translate(${x} ${y})`}
    d="M0-1a7 7 0 1 0-1-14 7 7 0 0 0 1 14zM-12 12a12 10 0 0 1 24 0z"
  />
);

type PersonProps = { at: Point; color: string };

/** Nobody's face or initial: it stands for the visitor, or for the person the visitor asks. */
export function Person({ at: [x, y], color }: PersonProps) {
  return (
    <>
      <circle cx={x} cy={y} r="22" fill={color} stroke="var(--surface)" strokeWidth="3" />
      <Figure at={[x, y + 1]} fill="var(--on-brand)" />
    </>
  );
}

/** The person whom the visitor asks: the typed name, else the typed number, else `unknown`. */
export function Whom({ at: [x, y], unknown }: { at: Point; unknown: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <text className={`${styles.say} ${styles.whom}`} data-fill="map.name" />
      <text className={`${styles.say} ${styles.whom} ${styles.phone}`} data-fill="map.phone" />
      <text className={styles.say}>{unknown}</text>
    </g>
  );
}

type PinProps = PersonProps & {
  /** Stands for a person or place that nobody knows. */
  initial?: string;
};

/** A person on the map; the tip is at the point. */
export function Pin({ at: [x, y], initial, color }: PinProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <ellipse cy="5" rx="9" ry="3" opacity=".2" />
      <path
        fill={color}
        stroke="var(--surface)"
        strokeWidth="4"
        d="M0 0c-5-9-26-16-26-40a26 26 0 0 1 52 0c0 24-21 31-26 40z"
      />
      {initial ? (
        <text className={styles.initial} y="-32">
          {initial}
        </text>
      ) : (
        <Figure at={[0, -39]} fill="var(--on-brand)" />
      )}
    </g>
  );
}

export const Presence = ({ at: [x, y] }: { at: Point }) => (
  <g transform={`translate(${x} ${y})`}>
    <circle r="14" fill="var(--surface)" />
    <path fill="var(--brand)" transform="scale(.8) translate(-12 -12)" d={drawings.quiet} />
  </g>
);

export function Place({
  at: [x, y],
  sign,
  size = 17,
  flat = false,
}: {
  at: Point;
  sign: IconName;
  size?: number;
  flat?: boolean;
}) {
  const scale = ((size * 1.15) / 24).toFixed(3);
  return (
    <g transform={`translate(${x} ${y})`}>
      {!flat && <circle className={styles.shade} cy="2" r={size + 1} />}
      <circle r={size} fill="var(--surface)" />
      <path
        className={styles.sign}
        transform={`scale(${scale}) translate(-12 -12)`}
        d={drawings[sign]}
      />
    </g>
  );
}

export function Envelope({ paper, fold }: { paper: string; fold: string }) {
  return (
    <>
      <rect className={styles.shade} y="3" width="106" height="68" rx="10" />
      <rect width="106" height="68" rx="10" fill={paper} />
      <path
        fill="none"
        stroke={fold}
        strokeWidth="5"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M12 14l41 29 41-29"
      />
    </>
  );
}
