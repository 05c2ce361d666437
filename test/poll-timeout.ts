/** How long a test waits for a state: only what never comes takes so long, on any machine. */
export const pollTimeout = { timeout: 60_000 };
