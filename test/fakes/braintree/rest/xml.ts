/** A list in Braintree's XML: each of its elements has this name. */
export interface Items {
  item: string;
  list: object[];
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const isItems = (value: object): value is Items => 'item' in value && 'list' in value;

/** One element, its type told as Braintree tells it. Names are dashed. */
function toXml(name: string, value: unknown): string {
  if (value === null || value === undefined) return `<${name} nil="true"/>`;
  if (typeof value === 'number') return `<${name} type="integer">${value}</${name}>`;
  if (typeof value === 'boolean') return `<${name} type="boolean">${value}</${name}>`;
  if (value instanceof Date) {
    return `<${name} type="datetime">${value.toISOString().slice(0, 19)}Z</${name}>`;
  }
  if (typeof value !== 'object') return `<${name}>${escaped(String(value))}</${name}>`;
  if (isItems(value)) {
    const items = value.list.map((one) => toXml(value.item, one));
    return `<${name} type="array">${items.join('')}</${name}>`;
  }
  const inner = Object.entries(value).map(([key, one]) => toXml(key, one));
  return `<${name}>${inner.join('')}</${name}>`;
}

export const document = (name: string, value: object): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(name, value)}`;
