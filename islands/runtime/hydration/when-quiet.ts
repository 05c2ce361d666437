const quietMs = 1000;
const handling = new Set<Element>();
/** This chunk is requested by a touch, or when nothing has been touched. */
let touchedAt = performance.now();

if (typeof document !== 'undefined') {
  for (const type of ['pointerdown', 'keydown']) {
    addEventListener(
      type,
      () => {
        touchedAt = performance.now();
      },
      true,
    );
  }
}

/** Resolves when nothing has been touched for a second and no touch is being handled. */
export async function whenQuiet(): Promise<void> {
  for (;;) {
    const remainingMs = touchedAt + quietMs - performance.now();
    if (remainingMs <= 0 && handling.size === 0) return;
    await new Promise((done) => setTimeout(done, Math.max(remainingMs, 100)));
  }
}

/** Called when the touched element is gone, or when nothing was touched. */
export function forgetTouches(): void {
  touchedAt = Number.NEGATIVE_INFINITY;
}

/** Runs a job that handles an island's events; returns true at once while another one runs. */
export async function runExclusively(
  island: Element,
  job: () => Promise<boolean>,
): Promise<boolean> {
  if (handling.has(island)) return true;
  handling.add(island);
  return job().finally(() => handling.delete(island));
}
