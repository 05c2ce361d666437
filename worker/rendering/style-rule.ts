/** A selector with the classes that it needs to match anything; alone if these are all classes in it. */
export type StyleSelector = string | readonly [selector: string, ...classes: string[]];

export interface StyleRule {
  /** The rule's enclosing blocks, outermost first, without closing braces: `@layer base{@media print`. */
  within: string;
  selectors: readonly StyleSelector[];
  body: string;
  /** Pages on which the selector can match; all if omitted. */
  only?: { theme?: string; language?: string; direction?: string; fonts?: string; kind?: string };
}

export interface Stylesheets {
  rules: readonly StyleRule[];
  /** For each kind of screen its rules, in order, as ranges of indexes in `rules`. */
  kinds: Record<string, readonly (readonly [first: number, count: number])[]>;
  /** For each island the classes and tokens used in its code. */
  islands: Record<string, readonly string[]>;
}

type PackedRule = readonly [
  block: number,
  selectors: StyleRule['selectors'],
  body: string,
  only?: StyleRule['only'],
];

/** `Stylesheets` in the Worker's bundle: without property names, which would take a tenth of the bundle. */
export interface PackedStylesheets extends Pick<Stylesheets, 'kinds' | 'islands'> {
  blocks: readonly string[];
  rules: readonly PackedRule[];
}

export const selectorText = (selector: StyleSelector): string =>
  typeof selector === 'string' ? selector : selector[0];

export function classesOf(selector: StyleSelector): readonly string[] {
  if (typeof selector !== 'string') return selector.slice(1);
  return selector.match(/(?<=\.)[a-z_][\w-]*/gi) ?? [];
}
