import { type AreaDrawing, box, type Point, placeOn } from './area-drawing.ts';
import map from './map.module.css';

type Props = {
  /** Null shows the text alone. */
  drawing: AreaDrawing | null;
  point: Point;
  /** Metres. */
  accuracy: number;
  /** Where, when and how exactly. */
  children: string;
  /** Map attribution. */
  credit: string;
};

const zoom = 1.15;
const [width, height] = [box.width / zoom, box.height / zoom];
const unitsPerMetre = box.width / 420_000;
const least = 5;

type View = { drawing: AreaDrawing; left: number; top: number };

function Towns({ drawing, left, top }: View) {
  const middle = [left + width / 2, top + height / 2] as const;
  const isHere = ([, x, y]: AreaDrawing['towns'][number]) =>
    Math.hypot(x - middle[0], y - middle[1]) < 14;
  const here = drawing.towns.find(isHere);
  return (
    <>
      {drawing.towns.map((town) => {
        const [name, x, y] = town;
        const outside =
          x < left + 6 || x > left + width - 6 || y < top + 12 || y > top + height - 8;
        if (outside || isHere(town)) return null;
        const last = x > left + width - 90;
        return (
          <g key={`${name} ${x}`} transform={`translate(${x} ${y})`}>
            <circle className={map.town} r="2.2" />
            <text
              className={`${map.name} ${map.fine}`}
              x={last ? -5 : 5}
              y="3.4"
              textAnchor={last ? 'end' : 'start'}
            >
              {name}
            </text>
          </g>
        );
      })}
      {here && (
        <text
          className={`${map.name} ${map.fine}`}
          x={middle[0]}
          y={middle[1] + 21}
          textAnchor="middle"
        >
          {here[0]}
        </text>
      )}
    </>
  );
}

export function PlaceMap({ drawing, point, accuracy, children, credit }: Props) {
  const [x, y] = placeOn(point);
  const [left, top] = [x - width / 2, y - height / 2];
  return (
    <figure className="stack gap-12">
      {drawing && (
        <div className={map.box} dir="ltr">
          <svg
            className={map.drawing}
            viewBox={`${left.toFixed(1)} ${top.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`}
            preserveAspectRatio="xMidYMid slice"
            role="img"
            aria-label={children}
          >
            <path className={`${map.land} ${map.fine}`} d={drawing.land} />
            <Towns drawing={drawing} left={left} top={top} />
            <circle
              className={map.area}
              cx={x.toFixed(1)}
              cy={y.toFixed(1)}
              r={Math.max(least * 1.8, accuracy * unitsPerMetre).toFixed(1)}
            />
            <circle className={map.dot} cx={x.toFixed(1)} cy={y.toFixed(1)} r={least} />
          </svg>
        </div>
      )}
      <figcaption className="stack gap-4">
        <p>{children}</p>
        <p className={`note tabular ${map.exact}`} dir="ltr">
          {`${point.lat.toFixed(3)}, ${point.lng.toFixed(3)}`}
        </p>
        {drawing && <p className="fine-print">{credit}</p>}
      </figcaption>
    </figure>
  );
}
