import { type AreaDrawing, box, type Point, placeOn } from './area-file.ts';
import styles from './place-map.module.css';

type Props = {
  /** Null where there is no map: the words stand alone. */
  drawing: AreaDrawing | null;
  point: Point;
  /** How exact the point is, in m. */
  accuracy: number;
  /** Says where, when and how exactly. */
  children: string;
  /** Whom the map comes from. */
  credit: string;
};

const zoom = 1.6;
const [width, height] = [box.width / zoom, box.height / zoom];
/** Units that a metre has, and the least that is seen. */
const unitsPerMetre = box.width / 420_000;
const least = 4;

type View = { drawing: AreaDrawing; left: number; top: number };

function Towns({ drawing, left, top }: View) {
  const middle = [left + width / 2, top + height / 2] as const;
  return drawing.towns.map(([name, x, y]) => {
    const outside = x < left + 4 || x > left + width - 4 || y < top + 10 || y > top + height - 6;
    const covered = Math.hypot(x - middle[0], y - middle[1]) < 10;
    if (outside || covered) return null;
    const last = x > left + width * 0.66;
    return (
      <g key={`${name} ${x}`} transform={`translate(${x} ${y})`}>
        <circle className={styles.town} r="1.6" />
        <text className={styles.name} x={last ? -4 : 4} y="2.6" textAnchor={last ? 'end' : 'start'}>
          {name}
        </text>
      </g>
    );
  });
}

/** Where somebody was, once: a dot as large as it is exact, on a map of our own. */
export function PlaceMap({ drawing, point, accuracy, children, credit }: Props) {
  const [x, y] = placeOn(point);
  const [left, top] = [x - width / 2, y - height / 2];
  return (
    <figure className={styles.figure}>
      {drawing && (
        <div className={styles.box} dir="ltr">
          <svg
            className={styles.map}
            viewBox={`${left.toFixed(1)} ${top.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`}
            preserveAspectRatio="xMidYMid slice"
            role="img"
            aria-label={children}
          >
            <path className={styles.land} d={drawing.land} />
            <Towns drawing={drawing} left={left} top={top} />
            <circle
              className={styles.area}
              cx={x.toFixed(1)}
              cy={y.toFixed(1)}
              r={Math.max(least * 1.8, accuracy * unitsPerMetre).toFixed(1)}
            />
            <circle className={styles.dot} cx={x.toFixed(1)} cy={y.toFixed(1)} r={least} />
          </svg>
        </div>
      )}
      <figcaption className={styles.words}>
        <p>{children}</p>
        <p className={styles.exact} dir="ltr">
          {`${point.lat.toFixed(3)}, ${point.lng.toFixed(3)}`}
        </p>
        {drawing && <p className={styles.credit}>{credit}</p>}
      </figcaption>
    </figure>
  );
}
