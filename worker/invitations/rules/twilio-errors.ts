/** The recipient said STOP to the vendor. https://www.twilio.com/docs/api/errors/21610 */
export const optedOut = 21610;

/** Codes with which the vendor refuses a number for good, when a text is handed over. */
export const refusedNumber: ReadonlySet<number> = new Set([
  21211, 21214, 21217, 21601, 21612, 21614, 21635,
]);

/**
 * Codes that say that the number itself gets no texts: those above, an unknown number (30005), and a
 * landline or unreachable network (30006). A phone that is off (30003), a block (30004) and a filter
 * (30007) are none. https://www.twilio.com/docs/api/errors
 */
export const unreachable: ReadonlySet<number> = new Set([...refusedNumber, 30005, 30006]);
