import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { listen } from '../local-port.ts';
import { slowNetwork } from './slow-phone.ts';

/** Caches the compressed form of each text, as an edge does, so that only differences in content count. */
function packer(quality: number): (body: Buffer) => Buffer {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const kept = new Map<string, Buffer>();
  return (body) => {
    const key = createHash('sha1').update(body).digest('base64');
    const packed = kept.get(key) ?? brotliCompressSync(body, { params });
    kept.set(key, packed);
    return packed;
  };
}

const certificate = readFileSync(new URL('../journeys/vendor-certificate.pem', import.meta.url));

/** HTTP/1.1 is unencrypted; HTTP/2 has a certificate that only a browser with `trustedKey` accepts. */
interface Transport {
  http2: boolean;
  /** The quality of brotli. */
  quality: number;
  /** Whether all responses take the time of a slow network, for a browser that cannot emulate one. */
  slow?: boolean;
}

/** Makes a browser accept the certificate and cache the responses. */
export const trustedKey = `--ignore-certificate-errors-spki-list=${createHash('sha256')
  .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64')}`;

export const bestCompression: Transport = { http2: false, quality: 11 };
export const edgeCompression: Transport = { http2: true, quality: 5 };
export const slowEdgeCompression: Transport = { ...edgeCompression, slow: true };

/** About 10 ms of the slow network, bytes: responses share it in turns. */
const sliceBytes = 2048;

/** Resolves when a slow network, which all responses share, has delivered one of so many bytes. */
function slowLink(): (bytes: number) => Promise<void> {
  let free = 0;
  return async (bytes) => {
    await pause(slowNetwork.latency);
    for (let left = bytes; left > 0; left -= sliceBytes) {
      const ms = (Math.min(left, sliceBytes) / slowNetwork.downloadThroughput) * 1000;
      const now = performance.now();
      // Timers are late; the lateness of one is not added to the next.
      free = Math.max(free, now - 20) + ms;
      await pause(free - now);
    }
  };
}

/** Headers of the other connection, or of HTTP/2 itself. */
const own = /^(:.*|host|connection|accept-encoding|content-length|transfer-encoding|keep-alive)$/;

/**
 * Serves an origin on a free local port, compressed. Resolves when it listens.
 * @param given cookies added to every document request
 */
export async function shrink(origin: string, given: readonly string[], transport: Transport) {
  const pack = packer(transport.quality);
  const delivered = slowLink();
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (!own.test(name)) headers.set(name, String(value));
    const body = request.method === 'POST' ? await new Response(request as never).text() : null;
    try {
      const { method } = request;
      const url = new URL(request.url ?? '/', origin);
      const upstream = await fetch(url, { method, headers, body, redirect: 'manual' });
      const bytes = pack(Buffer.from(await upstream.arrayBuffer()));
      const out: Record<string, string | string[]> = Object.fromEntries(
        [...upstream.headers].filter(([name]) => !own.test(name)),
      );
      const isPage = upstream.headers.get('content-type')?.startsWith('text/html');
      const cookies = [...upstream.headers.getSetCookie(), ...(isPage ? given : [])];
      if (cookies.length > 0) out['set-cookie'] = cookies;
      const empty = upstream.status === 204 || upstream.status === 304;
      if (!empty) {
        out['content-encoding'] = 'br';
        out['content-length'] = String(bytes.length);
      }
      // The browser's emulation of a slow network does not reach the prefetches of speculation rules.
      if (transport.slow || request.headers['sec-purpose'] === 'prefetch')
        await delivered(bytes.length);
      response.writeHead(upstream.status, out).end(empty ? undefined : bytes);
    } catch {
      response.writeHead(502).end();
    }
  };
  const server = transport.http2
    ? createSecureServer({ key: certificate, cert: certificate }, respond as never)
    : createServer(respond);
  const { port, close } = await listen(server);
  return { origin: `${transport.http2 ? 'https' : 'http'}://localhost:${port}`, close };
}
