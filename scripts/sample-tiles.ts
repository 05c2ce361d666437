import { fromGeojsonVt } from '@maplibre/vt-pbf';

/** The object's name in the local bucket `TILES`. */
export const sampleTiles = 'sample.pmtiles';

const zooms = [14, 15] as const;
const extent = 4096;

type Line = [x: number, y: number][];
const feature = (type: 1 | 2 | 3, tags: Record<string, string>, ...geometry: Line[]) => ({
  id: undefined,
  type,
  tags,
  geometry: type === 1 ? geometry[0] : geometry,
});

const across = (at: number): Line => [
  [-64, at],
  [extent + 64, at],
];
const down = (at: number): Line => across(at).map(([x, y]) => [y, x]);
const block = (x: number, y: number, width: number, height: number): Line => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
  [x, y],
];

/** One square of an invented town, in the layers of Protomaps' basemap. */
function tile(): Uint8Array {
  const minor = [512, 1024, 1536, 2560, 3072, 3584];
  const houses = minor.flatMap((x) => minor.map((y) => block(x + 60, y + 60, 300, 180)));
  const roads = [
    feature(2, { kind: 'minor_road', name: 'Sample Street' }, ...minor.map(across)),
    feature(2, { kind: 'minor_road', name: 'Sample Lane' }, ...minor.map(down)),
    feature(2, { kind: 'major_road', name: 'Sample Avenue' }, across(2048)),
    feature(2, { kind: 'major_road', name: 'Sample Road' }, down(2048)),
  ];
  const layers = {
    earth: [feature(3, { kind: 'earth' }, block(-64, -64, extent + 128, extent + 128))],
    landuse: [feature(3, { kind: 'park' }, block(2100, 1080, 900, 900))],
    water: [feature(3, { kind: 'lake' }, block(2400, 1300, 300, 260))],
    buildings: [feature(3, { kind: 'building' }, ...houses)],
    roads,
  };
  const named = Object.entries(layers).map(([name, features]) => [name, { features }]);
  return fromGeojsonVt(Object.fromEntries(named) as never, { version: 2, extent } as never);
}

/** https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md#varint-encoding */
function varint(value: number): number[] {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** Number of tiles in all zooms below the first, and from it on. */
const tilesBelow = (4 ** zooms[0] - 1) / 3;
const tiles = 4 ** zooms[0] + 4 ** zooms[1];

const headerBytes = 127;

/**
 * A PMTiles archive in which every tile of two zooms is the same square, so that `npm start` and the tests have
 * streets everywhere. Layout: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
export function sampleArchive(): Uint8Array {
  const data = tile();
  const directory = [1, tilesBelow, tiles, data.length, 1].flatMap(varint);
  const metadata = [...new TextEncoder().encode('{}')];
  const header = new DataView(new ArrayBuffer(headerBytes));
  for (const [at, letter] of [...'PMTiles'].entries()) header.setUint8(at, letter.charCodeAt(0));
  header.setUint8(7, 3);
  const afterDirectory = headerBytes + directory.length;
  const afterMetadata = afterDirectory + metadata.length;
  const sizes = [
    headerBytes,
    directory.length,
    afterDirectory,
    metadata.length,
    afterMetadata,
    0,
    afterMetadata,
    data.length,
    tiles,
    1,
    1,
  ];
  for (const [index, size] of sizes.entries()) {
    header.setBigUint64(8 + index * 8, BigInt(size), true);
  }
  // Clustered; neither directory nor tiles are compressed; vector tiles.
  for (const [index, value] of [1, 1, 1, 1, ...zooms].entries()) header.setUint8(96 + index, value);
  const whole = [-180e7, -85e7, 180e7, 85e7];
  for (const [index, degrees] of whole.entries()) header.setInt32(102 + index * 4, degrees, true);
  header.setUint8(118, zooms[1]);
  return new Uint8Array([...new Uint8Array(header.buffer), ...directory, ...metadata, ...data]);
}
