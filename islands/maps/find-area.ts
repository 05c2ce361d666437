import { call } from '../runtime/api.ts';
import { $map, type NumberData, setCoords } from '../stores/map.ts';
import { type AreaDrawing, drawingAround, drawingOf } from './area-drawing.ts';

interface Geocoded {
  status: string;
  results: { geometry: { location: { lat: number; lng: number } } }[];
}

export interface Area {
  drawing: AreaDrawing | null;
  /** Whether the map is centred on `initCoords`; otherwise it shows the country. */
  local: boolean;
  /** Whether a place was known, but geocoding failed. */
  failed: boolean;
}

/** Returns false when the response has no result. */
async function geocode(city: string, country: string): Promise<boolean> {
  try {
    const query = new URLSearchParams({ city, country });
    const { status, results } = await call<Geocoded>(`/geocode?${query}`);
    const [first] = results;
    if (status !== 'OK' || !first) return false;
    setCoords(first.geometry.location);
    return true;
  } catch {
    return false; // The map stays at the country.
  }
}

export async function findArea({ city, country }: NumberData): Promise<Area> {
  if (!country) return { drawing: null, local: false, failed: false };
  const found = city ? await geocode(city, country) : false;
  const { initCoords } = $map.get();
  const drawing = found && initCoords ? await drawingAround(initCoords) : null;
  if (drawing) return { drawing, local: true, failed: false };
  return { drawing: await drawingOf(country), local: false, failed: !!city && !found };
}
