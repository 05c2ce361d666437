/** What Braintree's XML says, its names as they are written (`plan-id`). */
export type Xml = string | number | boolean | null | Xml[] | { [name: string]: Xml };

interface Element {
  name: string;
  type: string;
  nil: boolean;
  text: string;
  children: Element[];
}

const pieces = /<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([\w.-]+)([^>]*?)(\/?)>|([^<]+)/g;
const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const plain = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });

const attribute = (text: string, name: string) =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '';

function meant({ type, nil, text, children }: Element): Xml {
  if (nil) return null;
  if (type === 'array') return children.map(meant);
  if (type === 'integer') return Number.parseInt(text, 10);
  if (type === 'boolean') return text === 'true';
  if (children.length === 0) return text.trim();
  return Object.fromEntries(children.map((child) => [child.name, meant(child)]));
}

/**
 * Reads Braintree's XML: `type` says what a value is, `nil` that there is none.
 *
 * @throws when the elements do not match
 */
export function parseXml(xml: string): Xml {
  const root: Element = { name: '', type: '', nil: false, text: '', children: [] };
  const open = [root];
  for (const [, closing, name, attributes = '', empty, text] of xml.matchAll(pieces)) {
    const parent = open.at(-1);
    if (!parent) break;
    if (text !== undefined) parent.text += plain(text);
    else if (closing) {
      if (open.pop()?.name !== name) throw new SyntaxError('XML does not match');
    } else if (name) {
      const type = attribute(attributes, 'type');
      const nil = attribute(attributes, 'nil') === 'true';
      const element: Element = { name, type, nil, text: '', children: [] };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (open.length !== 1 || root.children.length !== 1) throw new SyntaxError('XML is not whole');
  return meant(root);
}

/** A part of what was read, by its path; undefined where the path ends early. */
export function childOf(xml: Xml | undefined, ...path: string[]): Xml | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return xml;
  if (typeof xml !== 'object' || xml === null || Array.isArray(xml)) return undefined;
  return childOf(xml[name], ...rest);
}

/** A part as text; empty when there is none. */
export function textOf(xml: Xml | undefined, ...path: string[]): string {
  const found = childOf(xml, ...path);
  return typeof found === 'object' || found === undefined ? '' : String(found);
}

/** A part as a list; empty when there is none. */
export function listOf(xml: Xml | undefined, ...path: string[]): Xml[] {
  const found = childOf(xml, ...path);
  return Array.isArray(found) ? found : [];
}
