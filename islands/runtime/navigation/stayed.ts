/**
 * Resolves after 500 ms, unless the page is being left: WebKit cancels its loads first, then stops its timers, which go
 * on if Back shows it again.
 */
export const stayed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));
