import { PMTiles, type Source } from 'pmtiles';
import { expect, test } from 'vitest';
import { sampleArchive } from '../../scripts/sample-tiles.ts';

test('sample tiles: the same streets everywhere at zooms 14 and 15, read by the published library', async () => {
  const bytes = sampleArchive();
  const source: Source = {
    getKey: () => 'sample',
    getBytes: async (offset, length) => ({ data: bytes.slice(offset, offset + length).buffer }),
  };
  const archive = new PMTiles(source);
  expect(await archive.getHeader()).toMatchObject({ minZoom: 14, maxZoom: 15, tileType: 1 });
  const [one, other] = [await archive.getZxy(14, 0, 0), await archive.getZxy(15, 32767, 32767)];
  expect(one?.data.byteLength).toBeGreaterThan(500);
  expect(new Uint8Array(other?.data ?? [])).toEqual(new Uint8Array(one?.data ?? []));
  expect(await archive.getZxy(13, 0, 0)).toBeUndefined();
  expect(bytes.length).toBeLessThan(8192);
});
