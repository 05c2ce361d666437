import { parseAst } from 'vite';

type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Parts of a program whose text is read only by developers. */
const silent = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSLiteralType',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAnnotation',
  'TSTypeParameterInstantiation',
]);

/** Attributes whose text is read or spoken, and props of our components that become such. */
const spoken =
  /^(aria-(label|description|valuetext|roledescription)|alt|title|placeholder|label|.*(text|message|words|lead|summary|description|spoken))$/i;
/** Attributes that are never displayed, whatever they contain. */
const unread =
  /^(className|class|d|viewBox|points|transform|style|href|src|srcSet|sizes|content|media|key|accept|allow|pattern|autoComplete|rel)$/;

const anyWord = /\p{L}{2,}/u;
/** A capital followed by small letters, several words, or non-Latin letters. */
const sentence =
  /(^|[\s"'(])\p{Lu}\p{Ll}|\p{L}{2,}[,.!?:…]?\s+\p{L}{2,}|[^\p{Script=Latin}\p{Script=Common}]|\p{L}[.!?…]$/u;

/** A string without markup and URLs. */
const bare = (text: string) => text.replace(/<[^>]*>?|https?:\/\/\S+/g, ' ').trim();

/** The parts of a value that is one of several, or composed of several. */
function valuesOf(node: unknown): Node[] {
  if (!isNode(node)) return [];
  const of = (...keys: string[]) => keys.flatMap((key) => [node[key]].flat().flatMap(valuesOf));
  switch (node.type) {
    case 'ConditionalExpression':
      return of('consequent', 'alternate');
    case 'LogicalExpression':
    case 'BinaryExpression':
      return node.operator === '+' || node.type === 'LogicalExpression' ? of('left', 'right') : [];
    case 'ArrayExpression':
      return of('elements');
    case 'TemplateLiteral':
      return [...of('quasis'), ...of('expressions')];
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'JSXExpressionContainer':
      return of('expression');
    default:
      return [node];
  }
}

/** The text of a leaf of the syntax tree. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'JSXText') return String(node.value);
  if (node.type === 'TemplateElement') return String((node.value as { cooked: string }).cooked);
  return null;
}

const nameOf = (node: unknown): string =>
  isNode(node)
    ? node.type === 'JSXNamespacedName'
      ? `${nameOf(node.namespace)}:${nameOf(node.name)}`
      : [nameOf(node.object), nameOf(node.property), node.name].filter(Boolean).join('.')
    : '';

/** Calls with texts for engineers or machines, never for visitors. */
const textCalls =
  /(^|\.)(Error|RegExp|Headers|log|warn|error|info|t|querySelector(All)?|closest|matches|header|setRequestHeader|prepare|matchMedia|addEventListener)$/;

function walk(node: Node, found: Set<string>): void {
  if (silent.has(node.type)) return;
  const words = (value: unknown, is: RegExp) => {
    for (const leaf of [value].flat().flatMap(valuesOf)) {
      const text = textOf(leaf);
      if (text !== null && is.test(bare(text))) found.add(bare(text));
    }
  };
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') words(node.children, anyWord);
  if (node.type === 'JSXAttribute') {
    const name = nameOf(node.name);
    if (unread.test(name)) return;
    words(node.value, spoken.test(name) ? anyWord : sentence);
  }
  if (/^(Call|New)Expression$/.test(node.type) && textCalls.test(nameOf(node.callee))) {
    for (const part of [node.arguments].flat().filter(isNode)) {
      if (textOf(part) === null && part.type !== 'TemplateLiteral') walk(part, found);
    }
    return;
  }
  const text = textOf(node);
  if (text !== null && sentence.test(bare(text))) found.add(bare(text));
  for (const [key, value] of Object.entries(node)) {
    // A property name is not text, unless it is computed.
    if (key === 'key' && !node.computed) continue;
    for (const child of [value].flat()) if (isNode(child)) walk(child, found);
  }
}

/** Texts in a program that a visitor may see, each once. */
export function proseIn(code: string, lang: 'ts' | 'tsx' = 'tsx'): string[] {
  const found = new Set<string>();
  walk(parseAst(code, { lang }) as unknown as Node, found);
  return [...found];
}
