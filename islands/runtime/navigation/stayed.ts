/** WebKit cancels the loads of a page this long, at most, before it leaves it. */
const cancelLeadMs = 500;

/** Resolves unless the page is being left: its timers stop then, and go on if Back shows it again. */
export const stayed = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, cancelLeadMs));
