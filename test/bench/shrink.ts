import { createServer, type Server } from 'node:http';
import { brotliCompressSync } from 'node:zlib';

/**
 * Serves an origin as the platform does, compressed with brotli, and some static pages beside it.
 *
 * @param pages HTML by path
 */
export function shrink(origin: string, port: number, pages: Record<string, string>): Server {
  const kept = new Map<string, Buffer>();
  return createServer(async (request, response) => {
    const path = request.url ?? '/';
    const page = pages[path];
    if (page !== undefined) {
      const body = kept.get(path) ?? brotliCompressSync(page);
      kept.set(path, body);
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'br' });
      response.end(body);
      return;
    }
    const headers = new Headers(request.headers as Record<string, string>);
    for (const name of ['host', 'connection', 'accept-encoding']) headers.delete(name);
    const body = request.method === 'POST' ? await new Response(request as never).text() : null;
    const answer = await fetch(new URL(path, origin), {
      method: request.method,
      headers,
      body,
      redirect: 'manual',
    });
    const bytes = brotliCompressSync(Buffer.from(await answer.arrayBuffer()));
    const out: Record<string, string | string[]> = Object.fromEntries(answer.headers);
    delete out['content-length'];
    delete out['transfer-encoding'];
    out['content-encoding'] = 'br';
    out['set-cookie'] = answer.headers.getSetCookie();
    response.writeHead(answer.status, out);
    response.end(bytes);
  }).listen(port, '127.0.0.1');
}
