/** Sends one command to an inspector over a separate connection, because a permanent one keeps objects alive. */
function session(address: string) {
  const socket = new WebSocket(address);
  const opened = new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`no inspector at ${address}`));
  });
  let last = 0;
  const send = async (method: string): Promise<Record<string, number>> => {
    await opened;
    const id = ++last;
    return new Promise((resolve) => {
      const onMessage = ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as { id?: number; result: Record<string, number> };
        if (answer.id !== id) return;
        socket.removeEventListener('message', onMessage);
        resolve(answer.result);
      };
      socket.addEventListener('message', onMessage);
      socket.send(JSON.stringify({ id, method }));
    });
  };
  return { send, close: () => socket.close() };
}

/**
 * Memory of the isolate of the Worker and its objects after garbage collection, in MB: V8's heap and the bytes
 * outside of it.
 * @param inspector address of workerd's inspector, `ws:`
 */
export async function heapOf(inspector: URL): Promise<number> {
  const { send: ask, close } = session(new URL('/core:user:funnel', inspector).href);
  await ask('HeapProfiler.collectGarbage');
  const { usedSize = 0, backingStorageSize = 0 } = await ask('Runtime.getHeapUsage');
  close();
  return (usedSize + backingStorageSize) / 1e6;
}
