/** How long a test waits for a state: only a state that never occurs takes so long, on any machine. */
export const pollTimeout = { timeout: 60_000 };
