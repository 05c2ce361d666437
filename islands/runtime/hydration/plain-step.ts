type Answer = () => Promise<void>;

/** Handles an island's step before React is loaded. */
export interface PlainStep {
  /** Called at the first touch. */
  touch?(island: Element): void;
  /** Handles a submitted form, or a clicked button or link; null leaves it to React, which explains what is wrong. */
  answer(target: HTMLElement, island: Element): Answer | null | Promise<Answer | null>;
}

export const propsOf = <Props>(island: Element): Props =>
  JSON.parse(island.getAttribute('props') ?? '{}');
