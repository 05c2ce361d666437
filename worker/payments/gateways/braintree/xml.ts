export type Xml = string | number | boolean | null | Xml[] | { [name: string]: Xml };

interface Element {
  name: string;
  type: string;
  nil: boolean;
  text: string;
  children: Element[];
}

/** The fields beside the items of a search's page. */
const pagingNames = new Set(['current-page-number', 'page-size', 'total-items']);

const tokens = /<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([\w.-]+)([^>]*?)(\/?)>|([^<]+)/g;
const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const decodeEntities = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });

const attribute = (text: string, name: string) =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '';

function xmlValue({ type, nil, text, children }: Element): Xml {
  if (nil) return null;
  if (type === 'array') return children.map(xmlValue);
  if (type === 'collection') {
    return children.filter(({ name }) => !pagingNames.has(name)).map(xmlValue);
  }
  if (type === 'integer') return Number.parseInt(text, 10);
  if (type === 'boolean') return text === 'true';
  if (children.length === 0) return text.trim();
  return Object.fromEntries(children.map((child) => [child.name, xmlValue(child)]));
}

/** The attribute `type` gives a value's type, `nil` stands for null. @throws SyntaxError */
export function parseXml(xml: string): Xml {
  const root: Element = { name: '', type: '', nil: false, text: '', children: [] };
  const open = [root];
  for (const [, closing, name, attributes = '', empty, text] of xml.matchAll(tokens)) {
    const parent = open.at(-1);
    if (!parent) break;
    if (text !== undefined) parent.text += decodeEntities(text);
    else if (closing) {
      if (open.pop()?.name !== name) throw new SyntaxError('XML tags do not match');
    } else if (name) {
      const type = attribute(attributes, 'type');
      const nil = attribute(attributes, 'nil') === 'true';
      const element: Element = { name, type, nil, text: '', children: [] };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (open.length !== 1 || root.children.length !== 1) throw new SyntaxError('XML is incomplete');
  return xmlValue(root);
}

export function childOf(xml: Xml | undefined, ...path: string[]): Xml | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return xml;
  if (typeof xml !== 'object' || xml === null || Array.isArray(xml)) return undefined;
  return childOf(xml[name], ...rest);
}

export function textOf(xml: Xml | undefined, ...path: string[]): string {
  const found = childOf(xml, ...path);
  return typeof found === 'object' || found === undefined ? '' : String(found);
}

export function listOf(xml: Xml | undefined, ...path: string[]): Xml[] {
  const found = childOf(xml, ...path);
  return Array.isArray(found) ? found : [];
}
