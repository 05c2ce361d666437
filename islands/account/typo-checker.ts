type Checker = typeof import('./email-typo.ts');

/** Loaded lazily; a failed load is not an error. */
let checker: Checker | undefined;

export async function loadTypoChecker(): Promise<void> {
  checker ??= await import('./email-typo.ts').catch(() => undefined);
}

/** The corrected address; null when there is nothing to correct or the checker is not loaded. */
export const suggestionFor = (email: string): string | null =>
  checker?.correctedEmail(email) ?? null;
