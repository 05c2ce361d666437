/** What tracking and React do at moments of a visit, once they are there. */
export const hooks = {
  /** Tracking has begun. */
  tracked(): void {},
  /** A Continue form is answered without a submit event. */
  continued(_form: Element): void {},
  /** Questions are left. @param answers by question */
  answered(_answers: Record<string, string>): void {},
  /** A screen is about to be left. */
  leaving(): void {},
  /** Another document follows. */
  unloading(): void {},
  /** A screen was swapped in, and is painted. @param at ms of this document */
  shown(_at: number): void {},
  removed(_main: Element): void {},
};
