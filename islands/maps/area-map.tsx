import { type AreaDrawing, box, type Point, placeOn } from './area-drawing.ts';
import styles from './area-map.module.css';
import map from './map.module.css';

type Props = {
  /** Null while there is none: the box is as large. */
  drawing: AreaDrawing | null;
  /** What the map is around; the whole country when left out. */
  point?: Point | null;
  /** Name of what is in the middle. */
  place: string;
  /** Says that this is an area and no position, or what went wrong. */
  caption: string;
  /** Whom the map comes from. */
  credit: string;
  /** Whether the number is being looked up. */
  working?: boolean;
};

const { width, height } = box;
/** About 40 km. */
const area = 34;

type TownsProps = {
  drawing: AreaDrawing;
  /** The corner of the box, in the drawing's units. */
  left: number;
  top: number;
  /** Whether the middle is taken by the name of the place. */
  taken: boolean;
};

function Towns({ drawing, left, top, taken }: TownsProps) {
  return drawing.towns.map(([name, townX, townY]) => {
    const [x, y] = [townX - left, townY - top];
    const outside = x < 6 || x > width - 6 || y < 12 || y > height - 8;
    const covered = taken && Math.abs(x - width / 2) < 96 && Math.abs(y - height / 2) < 36;
    if (outside || covered) return null;
    const last = x > width - 100;
    return (
      <g key={`${name} ${townX}`} transform={`translate(${townX} ${townY})`}>
        <circle className={map.town} r="2.5" />
        <text className={map.name} x={last ? -6 : 6} y="4" textAnchor={last ? 'end' : 'start'}>
          {name}
        </text>
      </g>
    );
  });
}

/** A map of the area where a number is registered, in a box of fixed height. No live position. */
export function AreaMap({ drawing, point, place, caption, credit, working = false }: Props) {
  const [x = 0, y = 0] = point ? placeOn(point).map(Math.round) : [width / 2, height / 2];
  const [left, top] = [Math.round(x - width / 2), Math.round(y - height / 2)];
  return (
    <figure className={styles.figure}>
      <div className={map.box} dir="ltr">
        {working && <div className={styles.ring} />}
        {drawing && (
          <svg
            className={`${map.drawing} ${styles.map}`}
            viewBox={`${left} ${top} ${width} ${height}`}
            preserveAspectRatio="xMidYMid slice"
            role="img"
            aria-label={`${caption} ${place}`}
          >
            <path className={map.land} d={drawing.land} />
            {drawing.home && <path className={map.land} d={drawing.home} />}
            {drawing.home && <path className={styles.home} d={drawing.home} />}
            {point && <circle className={`${map.area} ${styles.area}`} cx={x} cy={y} r={area} />}
            <Towns drawing={drawing} left={left} top={top} taken={!!point} />
            {point && (
              <text className={`${map.name} ${styles.place}`} x={x} y={y + 4}>
                {place}
              </text>
            )}
          </svg>
        )}
      </div>
      <figcaption className={styles.words}>
        {drawing && (
          <>
            <p>{caption}</p>
            <p>{credit}</p>
          </>
        )}
      </figcaption>
    </figure>
  );
}
