/** Months of notice after which a renewed period of three months or more may be ended; `../README.md` has the sources. */
export const earlyEnds: Readonly<Record<string, number>> = { BE: 1, DE: 1, FR: 0, NL: 1 };

/** @param country null if it is unknown @returns null where no such right is listed */
export const earlyEndNotice = (country: string | null): number | null =>
  earlyEnds[country ?? ''] ?? null;
