import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { brotliCompressSync } from 'node:zlib';

/** Each text is compressed once, as an edge does that keeps it: what differs is what is served. */
function packer(): (body: Buffer) => Buffer {
  const kept = new Map<string, Buffer>();
  return (body) => {
    const key = createHash('sha1').update(body).digest('base64');
    const packed = kept.get(key) ?? brotliCompressSync(body);
    kept.set(key, packed);
    return packed;
  };
}

/**
 * Serves an origin on a free port of this machine, compressed with brotli (11). Resolves when it
 * listens.
 *
 * @param given cookies that come with every document
 */
export function shrink(origin: string, given: readonly string[]): Promise<Server> {
  const pack = packer();
  const server = createServer(async (request, response) => {
    const headers = new Headers(request.headers as Record<string, string>);
    for (const name of ['host', 'connection', 'accept-encoding', 'content-length'])
      headers.delete(name);
    const body = request.method === 'POST' ? await new Response(request as never).text() : null;
    try {
      const { method } = request;
      const asked = new URL(request.url ?? '/', origin);
      const answer = await fetch(asked, { method, headers, body, redirect: 'manual' });
      const bytes = pack(Buffer.from(await answer.arrayBuffer()));
      const out: Record<string, string | string[]> = Object.fromEntries(answer.headers);
      delete out['transfer-encoding'];
      out['content-encoding'] = 'br';
      out['content-length'] = String(bytes.length);
      const isPage = answer.headers.get('content-type')?.startsWith('text/html');
      const cookies = [...answer.headers.getSetCookie(), ...(isPage ? given : [])];
      if (cookies.length > 0) out['set-cookie'] = cookies;
      const empty = answer.status === 204 || answer.status === 304;
      if (empty) {
        delete out['content-encoding'];
        delete out['content-length'];
      }
      response.writeHead(answer.status, out).end(empty ? undefined : bytes);
    } catch {
      response.writeHead(502).end();
    }
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}
