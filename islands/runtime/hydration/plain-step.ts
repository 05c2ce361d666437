type Answer = () => Promise<void>;

export interface PlainStep {
  /** Called once, at the first touch or when the island is live; the island keeps its listeners. */
  touch?(island: Element): void;
  /** Handles a submitted form, or a clicked button or link; null leaves it to React, which explains what is wrong. */
  answer?(target: HTMLElement, island: Element): Answer | null | Promise<Answer | null>;
}

const touched = new WeakSet<Element>();

export function touchOnce(island: Element, step: PlainStep): void {
  if (touched.has(island)) return;
  touched.add(island);
  step.touch?.(island);
}

export const propsOf = <Props>(island: Element): Props =>
  JSON.parse(island.getAttribute('props') ?? '{}');
