import { drawings, type IconName } from '../parts/icon.tsx';
import styles from './scene.module.css';

export type Point = readonly [x: number, y: number];

type SayProps = {
  at: Point;
  /**
   * `name`: semibold; `soft`: smaller and lighter; `note`: the same, centred; `action`: on the
   * brand colour; `hour`: large.
   */
  as?: 'name' | 'soft' | 'note' | 'action' | 'hour';
  /** The available width; a longer text is set smaller. */
  fit?: number;
  children: string;
};

const square = /[\u3000-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
const cyrillic = /[\u0400-\u04ff]/g;
const arabic = /[\u0600-\u06ff]/g;

/** Width of a text in units of Latin letters. */
function lettersOf(text: string): number {
  const count = (script: RegExp) => text.match(script)?.length ?? 0;
  return text.length + count(square) * 0.8 + count(cyrillic) * 0.25 + count(arabic) * 0.2;
}

/** Text in the drawing; stays readable when the drawing is mirrored. */
export function Say({ at: [x, y], as = 'name', fit, children }: SayProps) {
  const size = as === 'name' ? 9.4 : 7.2;
  const scale = fit === undefined ? 1 : Math.min(1, fit / (lettersOf(children) * size));
  const place = `translate(${x} ${y})`;
  return (
    <g transform={scale < 1 ? `${place} scale(${scale.toFixed(2)})` : place}>
      <text className={as === 'name' ? styles.say : `${styles.say} ${styles[as]}`}>{children}</text>
    </g>
  );
}

type PersonProps = { at: Point; initial: string; color: string };

/** A person in a list: a disc with an initial. */
export function Person({ at: [x, y], initial, color }: PersonProps) {
  return (
    <>
      <circle cx={x} cy={y} r="22" fill={color} stroke="var(--surface)" strokeWidth="3" />
      <g transform={`translate(${x} ${y + 7})`}>
        <text className={`${styles.initial} ${styles.small}`}>{initial}</text>
      </g>
    </>
  );
}

/** A person on the map; the tip is at the point. */
export function Pin({ at: [x, y], initial, color }: PersonProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <ellipse cy="5" rx="9" ry="3" opacity=".2" />
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

/** A place: an icon on a white disc. */
export function Place({
  at: [x, y],
  sign,
  size = 17,
}: {
  at: Point;
  sign: IconName;
  size?: number;
}) {
  const scale = ((size * 1.15) / 24).toFixed(3);
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle className={styles.shade} cy="2" r={size + 1} />
      <circle r={size} fill="var(--surface)" />
      <path
        className={styles.sign}
        transform={`scale(${scale}) translate(-12 -12)`}
        d={drawings[sign]}
      />
    </g>
  );
}
