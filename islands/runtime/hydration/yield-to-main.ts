/** Lets the browser answer input and paint before the work goes on. */
export const yieldToMain = (): Promise<unknown> =>
  (globalThis as { scheduler?: { yield?(): Promise<void> } }).scheduler?.yield?.() ??
  new Promise((next) => setTimeout(next));
