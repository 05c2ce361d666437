import { distanceText, momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { AreaDrawing } from './area-drawing.ts';
import { nearestTown } from './nearest-town.ts';
import { PlaceMap } from './place-map.tsx';

type Props = {
  text: { place: string; place_near: string; credit: string };
  language: string;
  /** Degrees, metres, ms since 1970. */
  position: { latitude: number; longitude: number; accuracy: number; at: number };
  drawing: AreaDrawing | null;
};

export function SharedLocation({ text, language, position, drawing }: Props) {
  const { latitude: lat, longitude: lng, accuracy, at } = position;
  const point = { lat, lng };
  const town = drawing && nearestTown(drawing, point);
  const words = interpolate(town ? text.place_near : text.place, {
    town: town ?? '',
    time: momentText(at, language),
    accuracy: distanceText(accuracy, language),
  });
  return (
    <PlaceMap drawing={drawing} point={point} accuracy={accuracy} credit={text.credit}>
      {words}
    </PlaceMap>
  );
}
