import { type AreaDrawing, type AreaPoint, box, placeOn } from './area-drawing.ts';
import map from './map.module.css';

type Props = {
  /** Undefined until it is known; null if there is none. */
  drawing: AreaDrawing | null | undefined;
  point?: AreaPoint | null;
  placeName: string;
  caption: string;
  credit: string;
};

const { width, height } = box;
/** About 40 km. */
const areaRadius = 34;

type TownsProps = {
  drawing: AreaDrawing;
  /** Top left corner, in map units. */
  left: number;
  top: number;
  /** The name below the area; empty without a point. */
  label: string;
};

function namedTowns({ drawing, left, top, label }: TownsProps) {
  // Half the width of a letter, in map units, is 3.8 in this name and 3.1 in a town's.
  const nameHalf = label.length * 3.8;
  return drawing.towns.flatMap(([name, townX, townY]) => {
    const [x, y] = [townX - left, townY - top];
    const outside = x < 6 || x > width - 6 || y < 12 || y > height - 8;
    const half = name.length * 3.1;
    const isBefore = x > width - 100 || (x < width / 2 && x > 2 * half + 12);
    const side = (3 + half) * (isBefore ? -1 : 1);
    const [gapX, offsetY] = [Math.abs(x + side - width / 2) - Math.abs(side), y - height / 2];
    const inArea = gapX < areaRadius + 8 && Math.abs(offsetY) < areaRadius + 10;
    const underName = gapX < nameHalf + 8 && Math.abs(offsetY - areaRadius - 13) < 16;
    const covered = label && (inArea || underName);
    // Most columns show less of the map's height.
    const cut = y < 44 || y > height - 42;
    return outside || covered || cut ? [] : [{ name, townX, townY, isBefore }];
  });
}

function Towns(props: TownsProps) {
  const towns = namedTowns(props);
  // A single name says nothing about the rest.
  if (towns.length < 2) return null;
  return towns.map(({ name, townX, townY, isBefore }) => (
    <g key={`${name} ${townX}`} transform={`translate(${townX} ${townY})`}>
      <circle className={map.town} r="2.5" />
      <text
        className={map.name}
        x={isBefore ? -6 : 6}
        y="4"
        textAnchor={isBefore ? 'end' : 'start'}
      >
        {name}
      </text>
    </g>
  ));
}

export function AreaMap({ drawing, point, placeName, caption, credit }: Props) {
  const [x = 0, y = 0] = point ? placeOn(point).map(Math.round) : [width / 2, height / 2];
  const [left, top] = [Math.round(x - width / 2), Math.round(y - height / 2)];
  return (
    <figure className={`stack gap-8 top ${map.figure}`}>
      <div className={map.box} dir="ltr" data-awaited={drawing === undefined ? '' : undefined}>
        {drawing && (
          <svg
            className={`${map.drawing} ${map.appearing}`}
            viewBox={`${left} ${top} ${width} ${height}`}
            preserveAspectRatio="xMidYMid slice"
            role="img"
            aria-label={`${caption} ${placeName}`}
          >
            <path className={map.land} d={drawing.land} />
            {drawing.home && <path className={map.land} d={drawing.home} />}
            {drawing.home && <path className={map.home} d={drawing.home} />}
            {point && (
              <circle className={`${map.area} ${map.outlined}`} cx={x} cy={y} r={areaRadius} />
            )}
            <Towns drawing={drawing} left={left} top={top} label={point ? placeName : ''} />
            {point && (
              <text className={`${map.name} ${map.here}`} x={x} y={y + areaRadius + 17}>
                {placeName}
              </text>
            )}
          </svg>
        )}
      </div>
      <figcaption className="fine-print">
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
