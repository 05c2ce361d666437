import { agoText, distanceText, momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import { type AreaDrawing, type AreaPoint, box, placeOn } from './area-drawing.ts';
import map from './map.module.css';
import { type StreetText, StreetView } from './street-view.tsx';

/** Map units of 1.2 km: 60 km. */
const nearRadius = 49;

/** The nearest town on a map; null when none is within 60 km. */
export function nearestTown({ towns }: AreaDrawing, point: AreaPoint): string | null {
  const [x, y] = placeOn(point);
  const far = ([, townX, townY]: AreaDrawing['towns'][number]) => Math.hypot(townX - x, townY - y);
  const [first] = towns.filter((town) => far(town) <= nearRadius).sort((a, b) => far(a) - far(b));
  return first?.[0] ?? null;
}

const zoom = 1.15;
const [width, height] = [box.width / zoom, box.height / zoom];
const unitsPerMetre = box.width / 420_000;
const minRadius = 5;

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

function Region({ drawing, point, accuracy, label }: RegionProps) {
  const [x, y] = placeOn(point);
  const [left, top] = [x - width / 2, y - height / 2];
  return (
    <svg
      className={map.drawing}
      viewBox={`${left.toFixed(1)} ${top.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`}
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label={label}
    >
      <path className={`${map.land} ${map.fine}`} d={drawing.land} />
      <Towns drawing={drawing} left={left} top={top} />
      <circle
        className={map.area}
        cx={x.toFixed(1)}
        cy={y.toFixed(1)}
        r={Math.max(minRadius * 1.8, accuracy * unitsPerMetre).toFixed(1)}
        style={{ fill: 'var(--other)' }}
      />
      <circle className={map.dot} cx={x.toFixed(1)} cy={y.toFixed(1)} r={minRadius} />
    </svg>
  );
}

type RegionProps = { drawing: AreaDrawing; point: AreaPoint; accuracy: number; label: string };

export type PlaceText = StreetText & { place: string; place_near: string; credit: string };

type Props = {
  text: PlaceText;
  language: string;
  /** Degrees, metres, ms since 1970. */
  position: { latitude: number; longitude: number; accuracy: number; at: number };
  drawing: AreaDrawing | null;
  source: StreetSource | null;
  /** Whether the requester looks, whose page is kept up to date. */
  isOwn?: boolean;
};

/** Both people see the same map. */
export function SharedLocation(props: Props) {
  const { text, language, position, drawing, source, isOwn = false } = props;
  const { latitude: lat, longitude: lng, accuracy, at } = position;
  const point = { lat, lng };
  const town = drawing && nearestTown(drawing, point);
  const near = town ? interpolate(text.place_near, { town }) : '';
  const place = interpolate(text.place, {
    time: isOwn ? agoText(at, language) : momentText(at, language),
    accuracy: distanceText(accuracy, language),
  });
  const lines = place.split('\n');
  const words = (near ? [near, ...lines] : lines).join(', ');
  return (
    <figure className="stack gap-12">
      <figcaption>
        {near && <p className="strong">{near}</p>}
        {lines.map((line) => (
          <p key={line} className="note">
            {line}
          </p>
        ))}
      </figcaption>
      <StreetView
        text={text}
        language={language}
        label={words}
        point={point}
        accuracy={accuracy}
        source={source}
        isOwn={isOwn}
        credit={drawing && text.credit}
      >
        {drawing && <Region drawing={drawing} point={point} accuracy={accuracy} label={words} />}
      </StreetView>
    </figure>
  );
}
