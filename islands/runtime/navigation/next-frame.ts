/** Ms in which a frame comes; a tab that nobody sees has none. */
const patience = 250;

/** Resolves as soon as the next frame is drawn: what runs then holds up nothing that is waited for. */
export const nextFrame = (): Promise<void> =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, patience);
  });
