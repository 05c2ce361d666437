import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on a free local port. */
export async function listen(server: Server & { closeAllConnections?: () => void }) {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections?.();
      server.close();
    },
  };
}
