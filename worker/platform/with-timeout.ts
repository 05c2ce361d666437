export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const timeoutError = () => new DOMException('no answer', 'TimeoutError');

/** The call itself continues after the timeout. @param late the error that the timeout throws */
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
