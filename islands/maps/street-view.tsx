import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import type { AreaPoint } from './area-drawing.ts';
import map from './map.module.css';
import type { StreetDrawing } from './street-map.ts';

export interface StreetText {
  street?: string;
  street_failed?: string;
  street_google?: string;
  open_maps: string;
  tiles_credit: string;
}

interface Props extends StreetDrawing {
  text: StreetText;
  source: StreetSource | null;
  /** Whether the requester looks, for whom another app's map is the main action. */
  isOwn: boolean;
  children: ReactNode;
  credit: ReactNode;
}

/** Opens Apple's app if installed, otherwise Google's page. */
function mapsLink({ lat, lng }: AreaPoint): string {
  const place = `${lat.toFixed(3)},${lng.toFixed(3)}`;
  return /iphone|ipad|macintosh/i.test(navigator.userAgent)
    ? `https://maps.apple.com/?ll=${place}&q=${place}`
    : `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`;
}

/** Draws the streets into a box: at once from our own tiles, else when asked. */
function useStreets({ source, point, accuracy, label, language }: Props) {
  const [state, setState] = useState<'closed' | 'loading' | 'open' | 'failed'>('closed');
  const box = useRef<HTMLDivElement>(null);
  const remove = useRef<(() => void) | null>(null);
  const show = async () => {
    if (state === 'loading' || !box.current) return;
    setState('loading');
    try {
      const draw =
        source === 'google'
          ? (await import('./google-map.ts')).drawGoogleMap
          : (await import('./street-map.ts')).drawStreets;
      remove.current = await draw(box.current, { point, accuracy, label, language });
      setState('open');
    } catch (error) {
      console.warn('street map failed', error);
      setState('failed');
    }
  };
  const showFirst = useRef(show);
  useEffect(() => {
    if (source === 'tiles') showFirst.current();
    return () => remove.current?.();
  }, [source]);
  return { state, box, show };
}

/** The drawn region, which the street map replaces. */
export function StreetView(props: Props) {
  const { text, point, source, children, credit } = props;
  const { state, box, show } = useStreets(props);
  return (
    <>
      <div className={`${map.box} ${map.large}`} dir="ltr" data-streets={state}>
        {children}
        <div ref={box} className={map.streets} />
        {/* On the map, so that nothing moves when either changes; another credit is another element. */}
        <p
          key={state === 'open' ? 'tiles' : 'drawn'}
          className={`fine-print ${map.strip}`}
          dir="auto"
        >
          {state === 'open' ? source === 'tiles' && text.tiles_credit : credit}
        </p>
        <p className={`note ${map.strip}`} role="status">
          {state === 'failed' && text.street_failed}
        </p>
      </div>
      <div className={`gap-8 ${map.ways}`} data-streets={state}>
        {source === 'google' && (
          <button
            className="small-button strong"
            id="street-map"
            type="button"
            aria-busy={state === 'loading' || undefined}
            onClick={show}
          >
            {text.street}
          </button>
        )}
        <a
          className={props.isOwn ? 'link-filled' : `text-button ${map.link}`}
          href={mapsLink(point)}
          target="_blank"
          rel="noreferrer"
        >
          {text.open_maps}
        </a>
      </div>
      {source === 'google' && <p className="note">{text.street_google}</p>}
    </>
  );
}
