import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { request } from '../request.ts';

const tiles = { MAP_TILES: 'area.pmtiles' };
const range = (bytes: string) => ({ headers: { range: `bytes=${bytes}` } });

test('map tiles: the response is one byte range of the file, and nothing without a range or a file', async () => {
  await env.TILES.put('area.pmtiles', new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]));
  const part = await request('/tiles.pmtiles', range('2-4'), tiles);
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 2-4/8']);
  expect([...new Uint8Array(await part.arrayBuffer())]).toEqual([2, 3, 4]);
  const all = await request('/tiles.pmtiles', range('0-16383'), tiles);
  expect(all.headers.get('content-range')).toBe('bytes 0-7/8');
  await all.arrayBuffer();
  for (const [init, vars] of [
    [{}, tiles],
    [range('4-2'), tiles],
    [range('-5'), tiles],
    [range('90-99'), tiles],
    [range('0-3'), {}],
    [range('0-3'), { MAP_TILES: 'other.pmtiles' }],
  ] as const)
    expect((await request('/tiles.pmtiles', init, vars)).status).toBe(404);
});
