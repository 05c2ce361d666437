import { createServer, request } from 'node:http';
import { listen } from '../../local-port.ts';

/** A proxy server that can hold some responses and counts requests, the same for every browser. */
export async function openProxy(target: string) {
  let held: { path: RegExp; until: Promise<void> } | undefined;
  const paths: string[] = [];
  const server = createServer(async (incoming, response) => {
    const { method, url = '/', headers } = incoming;
    paths.push(url);
    if (held?.path.test(url)) await held.until;
    const sent = request(target + url, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    sent.on('error', () => response.destroy());
    incoming.pipe(sent);
  });
  return {
    ...(await listen(server)),
    /** Returns the number of requests of a path since the call. */
    count(path: string): () => number {
      const before = paths.length;
      return () => paths.slice(before).filter((url) => url === path).length;
    },
    /** Holds requests of a path. @returns releases them and all later ones */
    hold(path: RegExp): () => void {
      let release = () => {};
      const until = new Promise<void>((done) => {
        release = done;
      });
      held = { path, until };
      return release;
    },
  };
}
