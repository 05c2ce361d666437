export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const timeoutError = () => new DOMException('no answer', 'TimeoutError');

/** The call goes on when its caller no longer waits. @param late the error that is thrown then */
export async function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  late: () => Error = timeoutError,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    // An isolate may hold 10,000 timers.
    clearTimeout(timer);
  }
}
