import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A fake on a local port, because official clients need one. @param origin the vendor's */
export async function serveFake(origin: string, fetch: Fetch) {
  const server = createServer(async (request, reply) => {
    const { method = 'GET', url = '/' } = request;
    const sent = await buffer(request);
    // Removes the client's version, so that the fake uses the account's own, older version.
    const { authorization = '', 'content-type': type = 'text/plain' } = request.headers;
    const headers = { authorization, 'content-type': type };
    const body = sent.length > 0 ? new Uint8Array(sent) : undefined;
    const response = await fetch(origin + url, { method, headers, body });
    reply.writeHead(response.status, Object.fromEntries(response.headers));
    reply.end(Buffer.from(await response.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise<void>((done) => void server.close(() => done())) };
}
