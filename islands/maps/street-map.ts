import library from 'virtual:street-map-library';
import type * as MapLibre from 'maplibre-gl';
import { PMTiles, Protocol } from 'pmtiles';
import type { AreaPoint } from './area-drawing.ts';

const path = '/tiles.pmtiles';

/** Column and row of the tile around a point. */
function tileAt({ lat, lng }: AreaPoint, zoom: number): [number, number] {
  const radians = (lat * Math.PI) / 180;
  const north = (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2;
  return [Math.floor(((lng + 180) / 360) * 2 ** zoom), Math.floor(north * 2 ** zoom)];
}

const source = 'streets';

const fill = (id: string, layer: string, color: string): MapLibre.FillLayerSpecification => ({
  id,
  type: 'fill',
  source,
  'source-layer': layer,
  paint: { 'fill-color': color },
});

const road =
  (color: string) =>
  (id: string, kinds: string[], width: number): MapLibre.LayerSpecification => ({
    id,
    type: 'line',
    source,
    'source-layer': 'roads',
    filter: ['in', ['get', 'kind'], ['literal', kinds]],
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': color,
      'line-width': ['interpolate', ['exponential', 1.6], ['zoom'], 12, width / 3, 18, width * 4],
    },
  });

/** Uses the page's colours, so that the map follows theme and colour scheme. */
function styleOf(language: string, style: CSSStyleDeclaration): MapLibre.StyleSpecification {
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const street = road(colour('--street'));
  const name: MapLibre.ExpressionSpecification = [
    'coalesce',
    ['get', `name:${language}`],
    ['get', 'name'],
  ];
  const label = { 'text-color': colour('--ink'), 'text-halo-color': colour('--land') };
  const names = (
    layer: string,
    size: number,
    halo: number,
    layout: MapLibre.SymbolLayerSpecification['layout'] = {},
  ): MapLibre.LayerSpecification => ({
    id: `${layer}-names`,
    type: 'symbol',
    source,
    'source-layer': layer,
    layout: { 'text-field': name, 'text-size': size, ...layout },
    paint: { ...label, 'text-halo-width': halo },
  });
  return {
    version: 8,
    sources: { streets: { type: 'vector', url: `pmtiles://${location.origin}${path}` } },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': colour('--land') } },
      {
        ...fill('parks', 'landuse', colour('--park')),
        filter: [
          'in',
          ['get', 'kind'],
          ['literal', ['park', 'forest', 'wood', 'grass', 'nature_reserve', 'garden', 'cemetery']],
        ],
      },
      fill('water', 'water', colour('--water')),
      fill('buildings', 'buildings', colour('--line')),
      street('paths', ['path'], 1),
      street('minor', ['minor_road', 'other'], 3),
      street('major', ['major_road'], 5),
      street('highways', ['highway'], 7),
      { ...names('roads', 12, 1.5, { 'symbol-placement': 'line' }), minzoom: 14 },
      names('places', 14, 2),
    ],
  };
}

/** The circle around the person's position, as a polygon in degrees. */
function circle({ lat, lng }: AreaPoint, metres: number): [number, number][] {
  const north = metres / 111_320;
  const east = north / Math.cos((lat * Math.PI) / 180);
  return Array.from({ length: 257 }, (_, step) => {
    const angle = (step * Math.PI) / 128;
    return [lng + east * Math.cos(angle), lat + north * Math.sin(angle)];
  });
}

let protocol: Protocol | undefined;

export interface StreetDrawing {
  point: AreaPoint;
  /** Metres. */
  accuracy: number;
  label: string;
  language: string;
}

function addPosition(map: MapLibre.Map, point: StreetDrawing['point'], accuracy: number): void {
  const page = getComputedStyle(map.getContainer());
  const colour = (name: string) => page.getPropertyValue(name).trim();
  map.addSource('here', {
    type: 'geojson',
    // Else it is simplified to a polygon whose corners show.
    tolerance: 0,
    data: { type: 'Polygon', coordinates: [circle(point, accuracy)] },
  });
  map.addSource('middle', {
    type: 'geojson',
    data: { type: 'Point', coordinates: [point.lng, point.lat] },
  });
  map.addLayer({
    id: 'accuracy',
    type: 'fill',
    source: 'here',
    paint: { 'fill-color': colour('--other'), 'fill-opacity': 0.18 },
  });
  map.addLayer({
    id: 'middle',
    type: 'circle',
    source: 'middle',
    paint: {
      'circle-radius': 8,
      'circle-color': colour('--other'),
      'circle-stroke-width': 3,
      'circle-stroke-color': colour('--surface'),
    },
  });
}

/** Pixels between a street's name and the pin or the map's edge. */
const clearance = 24;

/** Unseen symbols take their space before the names of streets do, which so stay clear of the pin and of the edges. */
function keepNamesClear(map: MapLibre.Map, point: AreaPoint): void {
  const { clientWidth: width, clientHeight: height } = map.getContainer();
  const edges: [number, number][] = [];
  for (let x = 0; x <= width; x += clearance) edges.push([x, 0], [x, height]);
  for (let y = 0; y <= height; y += clearance) edges.push([0, y], [width, y]);
  const coordinates = edges.map((edge) => map.unproject(edge).toArray());
  map.addSource('clear', {
    type: 'geojson',
    data: { type: 'MultiPoint', coordinates: [[point.lng, point.lat], ...coordinates] },
  });
  map.addImage('clear', { width: 1, height: 1, data: new Uint8Array(4) });
  map.addLayer({
    id: 'clear',
    type: 'symbol',
    source: 'clear',
    layout: { 'icon-image': 'clear', 'icon-padding': clearance, 'icon-allow-overlap': true },
  });
}

const closest = 15;
/** Metres of a pixel at zoom 0, on the equator. */
const wholeEarth = 78_271.5;

/** Pixels around the circle, among them those of the credit below it. */
const around = 32;

/** As close as streets are read, and the whole circle in view. */
function zoomFor({ clientWidth, clientHeight }: HTMLElement, { lat }: AreaPoint, metres: number) {
  const room = (Math.min(clientWidth, clientHeight) - 2 * around) / (2 * metres);
  return Math.min(closest, Math.log2(wholeEarth * Math.cos((lat * Math.PI) / 180) * room));
}

/** @throws without tiles, or if the browser has no WebGL */
export async function drawStreets(
  container: HTMLElement,
  { point, accuracy, label, language }: StreetDrawing,
): Promise<() => void> {
  const archive = new PMTiles(location.origin + path);
  const { maxZoom } = await archive.getHeader();
  if (!(await archive.getZxy(maxZoom, ...tileAt(point, maxZoom)))) throw new Error('no tiles here');
  const { default: _, ...maplibre }: typeof MapLibre & { default?: unknown } = await import(
    /* @vite-ignore */ library
  );
  if (!protocol) {
    protocol = new Protocol();
    maplibre.addProtocol('pmtiles', protocol.tile);
  }
  protocol.add(archive);
  const page = getComputedStyle(container);
  const coarse = matchMedia('(pointer: coarse)').matches;
  const map = new maplibre.Map({
    container,
    style: styleOf(language, page),
    center: [point.lng, point.lat],
    zoom: zoomFor(container, point, accuracy),
    maxZoom: 17,
    attributionControl: false,
    // Otherwise the map would capture the page's scrolling.
    scrollZoom: false,
    dragPan: !coarse,
    dragRotate: false,
    pitchWithRotate: false,
    locale: { 'Map.Title': label },
  });
  await new Promise<void>((done, fail) => {
    map.once('load', () => done());
    map.once('error', ({ error }) => fail(error));
  });
  addPosition(map, point, accuracy);
  keepNamesClear(map, point);
  return () => map.remove();
}
