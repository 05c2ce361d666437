import type { FakeElement } from './dom.ts';

/** Splits at a separator outside brackets. */
function split(selector: string, separator: RegExp): string[] {
  let depth = 0;
  const parts = [''];
  for (const sign of selector.trim()) {
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
    if (depth === 0 && separator.test(sign)) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The position of the first bracket's closing bracket. */
function closing(text: string): number {
  let depth = 0;
  for (const [at, sign] of [...text].entries()) {
    if (sign === '(') depth++;
    if (sign === ')' && --depth === 0) return at + 1;
  }
  return 0;
}

function matchesCompound(element: FakeElement, compound: string): boolean {
  let rest = compound;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest);
    if (found) rest = rest.slice(found[0].length);
    return found;
  };
  const tag = take(/^[\w-]+/);
  if (tag && tag[0] !== element.localName) return false;
  while (rest) {
    const id = take(/^#([\w-]+)/);
    const attribute = !id && take(/^\[([\w-]+)(?:=["']?([^"'\]]*)["']?)?\]/);
    const group = !id && !attribute && /^:(is|not)\((.*)\)$/.exec(rest.slice(0, closing(rest)));
    if (group) rest = rest.slice(group[0].length);
    if (id && element.id !== id[1]) return false;
    if (attribute) {
      const value = element.getAttribute(attribute[1] ?? '');
      if (value === null || (attribute[2] !== undefined && value !== attribute[2])) return false;
    }
    if (group && element.matches(group[2] ?? '') !== (group[1] === 'is')) return false;
    if (!id && !attribute && !group) throw new SyntaxError(`selector ${compound}`);
  }
  return true;
}

/** Supports no sibling selectors, and no pseudo-classes but `:is` and `:not`. */
export function matches(element: FakeElement, selector: string): boolean {
  return split(selector, /,/).some((one) => {
    const parts = split(one, /\s/);
    if (!matchesCompound(element, parts.pop() ?? '')) return false;
    let above = element.parent;
    let direct = false;
    for (const part of parts.reverse()) {
      if (part === '>') {
        direct = true;
        continue;
      }
      while (above && !direct && !matchesCompound(above, part)) above = above.parent;
      if (!above || !matchesCompound(above, part)) return false;
      above = above.parent;
      direct = false;
    }
    return true;
  });
}
