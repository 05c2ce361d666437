/** Callbacks of tracking and React for moments of a visit, set once they are loaded. */
export const hooks = {
  tracked(): void {},
  /** A Continue form is handled without a submit event. */
  continued(_form: Element): void {},
  /** The question screen is left. @param answers by question */
  answered(_answers: Record<string, string>): void {},
  leaving(): void {},
  /** Another document follows. */
  unloading(): void {},
  /** A screen was swapped in and painted. @param at ms of this document */
  shown(_at: number): void {},
  removed(_main: Element): void {},
};
