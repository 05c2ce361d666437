import { createHandlers } from '../http/handlers.ts';
import { unanswered } from '../platform/unanswered.ts';

const oneRange = /^bytes=(\d{1,15})-(\d{1,15})$/;
const maxBytes = 4 * 1024 * 1024;

/** One byte range of the PMTiles file, from which the browser reads the tiles around a shared position. */
export const mapTiles = createHandlers(async (c) => {
  const { TILES, MAP_TILES } = c.env;
  const [, first, last] = oneRange.exec(c.req.header('range') ?? '') ?? [];
  const offset = Number(first);
  const length = Math.min(Number(last) - offset + 1, maxBytes);
  if (!MAP_TILES || !(length > 0)) return c.body(null, 404);
  const reading = TILES.get(MAP_TILES, { range: { offset, length } });
  const file = await reading.catch(unanswered(c.var.log, 'TILES', null));
  if (!file) return c.body(null, 404);
  const end = Math.min(offset + length, file.size);
  return c.body(file.body as unknown as ReadableStream, 206, {
    'content-type': 'application/octet-stream',
    'content-range': `bytes ${offset}-${end - 1}/${file.size}`,
    'content-length': String(end - offset),
    'cache-control': 'max-age=86400',
    etag: file.httpEtag,
  });
});
