import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import type { Fakes } from '../fakes/index.ts';
import { listen } from '../local-port.ts';

// Self-signed and for tests only, whose browser contexts accept any certificate.
const certificate = readFileSync(new URL('vendor-certificate.pem', import.meta.url));
const tls = { isServer: true, key: certificate, cert: certificate };

/**
 * A proxy that responds for the vendors with the fakes. Playwright's routing would pass every request through this
 * process and turn off the browser's cache.
 * @param onUnknown is called with the URL of a request to any other host, which gets no response
 */
export async function openVendorProxy(
  fakes: Fakes,
  vendors: readonly string[],
  onUnknown: (url: string) => void,
) {
  const hostOf = (request: IncomingMessage) => (request.headers.host ?? '').replace(/:\d+$/, '');
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const scheme = request.socket instanceof TLSSocket ? 'https' : 'http';
    const { pathname, search } = new URL(request.url ?? '/', 'http://vendor');
    const url = `${scheme}://${hostOf(request)}${pathname}${search}`;
    if (!vendors.includes(hostOf(request))) {
      onUnknown(url);
      response.destroy();
      return;
    }
    const body = await buffer(request);
    const upstream = await fakes.fetch({
      url,
      method: request.method ?? 'GET',
      headers: Object.entries(request.headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value]),
      ),
      arrayBuffer: async () => new Uint8Array(body).buffer,
    });
    response.writeHead(upstream.status, [...upstream.headers].flat());
    response.end(Buffer.from(await upstream.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  // Node closes an idle connection after 5 s, just when a visitor has typed a card; vendors keep it open longer.
  server.keepAliveTimeout = 75_000;
  // Also for unknown hosts, because the browser preconnects for requests that a test then answers itself.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const secure = new TLSSocket(socket, tls);
    secure.on('error', () => secure.destroy());
    server.emit('connection', secure);
  });
  return listen(server);
}
