import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

type Statement = ReturnType<typeof parseSync>['program']['body'][number];
type Interface = Extract<Statement, { type: 'TSInterfaceDeclaration' }>;
type Member = Interface['body']['body'][number];
type Type = NonNullable<
  Extract<Member, { type: 'TSPropertySignature' }>['typeAnnotation']
>['typeAnnotation'];
type Name = Extract<Type, { type: 'TSTypeReference' }>['typeName'];

/** A type with the scope in which its names are known. */
interface Known {
  scope: Scope;
  type: Type | Interface;
}

/** The names of a file or of a namespace; the same name may be a type and a namespace. */
interface Scope {
  parent: Scope | null;
  types: Map<string, () => Known | undefined>;
  spaces: Map<string, () => Scope | undefined>;
}

const files = new Map<string, Scope>();

function load(file: string): Scope {
  const scope: Scope = files.get(file) ?? { parent: null, types: new Map(), spaces: new Map() };
  if (files.has(file)) return scope;
  files.set(file, scope);
  declare(scope, parseSync(file, readFileSync(file, 'utf8')).program.body, dirname(file));
  return scope;
}

function declare(scope: Scope, statements: readonly Statement[], folder: string): void {
  for (const statement of statements) {
    const source = 'source' in statement ? statement.source?.value : undefined;
    const from = () => load(join(folder, String(source).replace(/\.js$/, '.d.ts')));
    if (statement.type === 'ImportDeclaration' || statement.type === 'ExportNamedDeclaration') {
      for (const specifier of statement.specifiers) {
        const { name = '' } = specifier.local as { name?: string };
        if (specifier.type === 'ImportNamespaceSpecifier') scope.spaces.set(name, from);
        else if (source) {
          scope.types.set(name, () => from().types.get(name)?.());
          scope.spaces.set(name, () => from().spaces.get(name)?.());
        }
      }
    }
    const own = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (own?.type === 'TSInterfaceDeclaration')
      scope.types.set(own.id.name, () => ({ scope, type: own }));
    if (own?.type === 'TSTypeAliasDeclaration')
      scope.types.set(own.id.name, () => ({ scope, type: own.typeAnnotation }));
    if (own?.type === 'TSModuleDeclaration' && own.id.type === 'Identifier') {
      const inner: Scope = { parent: scope, types: new Map(), spaces: new Map() };
      const body = own.body as { body: Statement[] } | null;
      declare(inner, body?.body ?? [], folder);
      scope.spaces.set(own.id.name, () => inner);
    }
  }
}

function space(name: Name, from: Scope): Scope | undefined {
  if (name.type === 'TSQualifiedName')
    return space(name.left, from)?.spaces.get(name.right.name)?.();
  if (name.type !== 'Identifier') return undefined;
  for (let at: Scope | null = from; at; at = at.parent) {
    const found = at.spaces.get(name.name)?.();
    if (found) return found;
  }
  return undefined;
}

function lookUp(name: Name, from: Scope): Known | undefined {
  if (name.type === 'TSQualifiedName')
    return space(name.left, from)?.types.get(name.right.name)?.();
  if (name.type !== 'Identifier') return undefined;
  for (let at: Scope | null = from; at; at = at.parent) {
    const found = at.types.get(name.name)?.();
    if (found) return found;
  }
  return undefined;
}

type Json = { [name: string]: unknown };
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Field {
  name: string;
  optional: boolean;
  type: Known;
}

/** The properties of an interface with those of its bases, or of an object literal type. */
function fieldsOf({ type, scope }: Known): Field[] | undefined {
  const members =
    type.type === 'TSInterfaceDeclaration'
      ? type.body.body
      : type.type === 'TSTypeLiteral'
        ? type.members
        : undefined;
  const bases = type.type === 'TSInterfaceDeclaration' ? type.extends : [];
  const inherited = bases.flatMap(({ expression }) => {
    const base = expression.type === 'Identifier' && lookUp(expression, scope);
    return (base && fieldsOf(base)) || [];
  });
  const own = members?.flatMap((member): Field[] => {
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') return [];
    const inner = member.typeAnnotation?.typeAnnotation;
    const { name } = member.key;
    return inner ? [{ name, optional: member.optional, type: { type: inner, scope } }] : [];
  });
  return own && [...inherited, ...own];
}

/** A named type as its declaration, as far as the names are declared in the package. */
function resolved(known: Known): Known {
  if (known.type.type !== 'TSTypeReference' || known.type.typeArguments) return known;
  const found = lookUp(known.type.typeName, known.scope);
  return found ? resolved(found) : known;
}

/** Whether a property that identifies the kind of object, such as `object` or `deleted`, has its declared value. */
const isOfKind = (value: Json, known: Known): boolean =>
  (fieldsOf(known) ?? []).every(({ name, type: { type } }) => {
    if (type.type === 'TSVoidKeyword') return value[name] === undefined;
    if (type.type !== 'TSLiteralType' || !('value' in type.literal)) return true;
    return value[name] === type.literal.value;
  });

const keywords: Record<string, string> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
};

/** What a value lacks or has wrong, with its path; empty if it has the declared type. */
function faultsOf(value: unknown, known: Known, path: string): string[] {
  const { type, scope } = resolved(known);
  const inner = (one: Type): Known => resolved({ type: one, scope });
  const wrong = [`${path} is ${JSON.stringify(value)?.slice(0, 60)}`];
  if (type.type === 'TSUnionType') {
    const members = type.types.map(inner);
    const objects = isJson(value) ? members.filter((one) => fieldsOf(one)) : [];
    const fitting =
      objects.length > 0 ? objects.filter((one) => isOfKind(value as Json, one)) : members;
    const results = fitting.map((one) => faultsOf(value, one, path));
    return results.sort((a, b) => a.length - b.length)[0] ?? wrong;
  }
  if (type.type === 'TSIntersectionType') return typeof value === 'string' ? [] : wrong;
  if (type.type === 'TSNullKeyword') return value === null ? [] : wrong;
  if (type.type === 'TSLiteralType')
    return 'value' in type.literal && value === type.literal.value ? [] : wrong;
  if (type.type === 'TSArrayType') return listFaults(value, inner(type.elementType), path);
  const expected = keywords[type.type];
  if (expected) return typeof value === expected ? [] : wrong;
  if (type.type === 'TSTypeReference') {
    const [argument] = type.typeArguments?.params ?? [];
    const { name } = type.typeName as { name?: string };
    if (name === 'Array' && argument) return listFaults(value, inner(argument), path);
    if (name === 'ApiList' && argument)
      return isJson(value) ? listFaults(value.data, inner(argument), `${path}.data`) : wrong;
    // A decimal number is sent as text.
    if (name === 'Decimal') return typeof value === 'string' ? [] : wrong;
    throw new Error(`${path}: ${JSON.stringify(type.typeName)} is not declared`);
  }
  const fields = fieldsOf({ type, scope });
  if (!fields) throw new Error(`${path}: ${type.type} cannot be compared`);
  if (!isJson(value)) return wrong;
  return fields.flatMap(({ name, optional, type: field }) => {
    if (value[name] !== undefined) return faultsOf(value[name], field, `${path}.${name}`);
    return optional ? [] : [`${path}.${name} is missing`];
  });
}

const listFaults = (value: unknown, item: Known, path: string): string[] =>
  Array.isArray(value)
    ? value.flatMap((one) => faultsOf(one, item, `${path}[]`))
    : [`${path} is no list`];

const resources = 'node_modules/stripe/esm/resources';

/** Value of `object` → the interfaces of the API's first version with it; a deleted object has one of its own. */
function kinds(): Map<string, Known[]> {
  const found = new Map<string, Known[]>();
  for (const file of globSync(`${resources}/**/*.d.ts`).sort()) {
    if (file.includes('/V2/')) continue;
    for (const declared of load(file).types.values()) {
      const known = declared();
      if (known?.type.type !== 'TSInterfaceDeclaration') continue;
      const object = fieldsOf(known)?.find(({ name }) => name === 'object')?.type.type;
      if (object?.type !== 'TSLiteralType' || !('value' in object.literal)) continue;
      const kind = String(object.literal.value);
      const before = found.get(kind) ?? [];
      if (!before.some(({ type }) => type === known.type)) found.set(kind, [...before, known]);
    }
  }
  return found;
}

let index: Map<string, Known[]> | undefined;

/** What an object of Stripe's API lacks or has wrong, compared with the types of the `stripe` package. */
export function faultsOfObject(object: Json): string[] {
  index ??= kinds();
  const kind = String(object.object);
  const known = index.get(kind)?.find((one) => isOfKind(object, one));
  return known ? faultsOf(object, known, kind) : [`${kind} is no declared object`];
}
