import { html } from 'hono/html';
import { createHandlers } from '../http/handlers.ts';
import { pageHeaders } from '../http/security-headers.ts';

/**
 * The frame in which a buyer's page shows Google's street map. It contains no position: the page sends it once Google's
 * script is there. https://developers.google.com/maps/documentation/javascript/load-maps-js-api
 */
export const googleMapPage = createHandlers((c) => {
  const { GOOGLE_MAPS_KEY, FAKES_URL } = c.env;
  if (!GOOGLE_MAPS_KEY) return c.body(null, 404);
  const language = /^[a-z]{2}(-[A-Z]{2})?$/.exec(c.req.query('lng') ?? '')?.[0] ?? 'en';
  const query = new URLSearchParams({
    key: GOOGLE_MAPS_KEY,
    libraries: 'places',
    loading: 'async',
    callback: 'googleMapReady',
    language,
  });
  const host = FAKES_URL ? `${FAKES_URL}/maps.googleapis.com` : 'https://maps.googleapis.com';
  const script = `${host}/maps/api/js?${query}`;
  const style = 'html, body, #map { block-size: 100%; margin: 0 }';
  return c.html(
    html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Map</title><style>${style}</style></head><body><div id="map" role="application"></div><script src="/google-map.js" data-src="${script}"></script></body></html>`,
    200,
    { ...pageHeaders('map', Boolean(FAKES_URL), null), 'cache-control': 'no-cache' },
  );
});
