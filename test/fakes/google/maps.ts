import { script } from '../frame-pages.ts';
import { geocoder } from '../geocoder.ts';

/** Geocoding, and the script of developers.google.com/maps/documentation/javascript/load-maps-js-api */
export async function googleMaps(request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  if (request.method === 'GET' && pathname === '/maps/api/js') {
    return script(new URL('./browser/maps.ts', import.meta.url));
  }
  return geocoder(request);
}
