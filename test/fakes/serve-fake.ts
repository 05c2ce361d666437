import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../local-port.ts';

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
  return listen(server);
}
