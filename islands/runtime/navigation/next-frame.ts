const timeoutMs = 250;

/** Resolves after the next frame, so that the work that follows does not delay it. */
export const nextFrame = (): Promise<void> =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, timeoutMs);
  });
