/** Lets the browser handle input and paint before the work continues. */
export const yieldToMain = (): Promise<unknown> =>
  (globalThis as { scheduler?: { yield?(): Promise<void> } }).scheduler?.yield?.() ??
  new Promise((next) => setTimeout(next));
