import { jsonIn } from '../../platform/read-json.ts';
import type { Documents } from '../document-set.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };

/** One difference between two versions of documents; a value that is missing did not, or will not, exist. */
export interface DocumentChange {
  /** File, then fields; an element of a list of objects by its `key` or `id`. */
  path: string[];
  before?: Json;
  after?: Json;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keyOf = ({ key, id }: Fields) => key ?? id;

/** Elements by `key` or `id`, for a list in which every element has one of its own; else null. */
function keyed(value: Json | undefined): Map<string, Fields> | null {
  if (!Array.isArray(value)) return null;
  const elements = value.filter(isFields).flatMap((element) => {
    const name = keyOf(element);
    return typeof name === 'string' ? [[name, element] as const] : [];
  });
  const byKey = new Map(elements);
  return byKey.size === value.length ? byKey : null;
}

const isSame = (one: Json | undefined, other: Json | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

const own = (fields: Fields, name: string): Json | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** The children of an object or a keyed list; null for any other value. */
const childrenOf = (value: Json | undefined): Map<string, Json> | null =>
  isFields(value) ? new Map(Object.entries(value)) : keyed(value);

/** Whether two lists have their common elements in the same order. */
function inOrder(one: Map<string, Json>, other: Map<string, Json>): boolean {
  const common = (some: Map<string, Json>, others: Map<string, Json>) =>
    [...some.keys()].filter((key) => others.has(key)).join('\n');
  return common(one, other) === common(other, one);
}

function compare(
  path: string[],
  before: Json | undefined,
  after: Json | undefined,
): DocumentChange[] {
  if (isSame(before, after)) return [];
  const [old, next] = [childrenOf(before), childrenOf(after)];
  const isList = Array.isArray(before) || Array.isArray(after);
  const isSplit = old && next && isFields(before) === isFields(after);
  if (!isSplit || (isList && !inOrder(old, next))) {
    return [
      { path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
    ];
  }
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((name) =>
    compare([...path, name], old.get(name), next.get(name)),
  );
}

/** A text that is no JSON object is one value. */
function parsed(text: string): Json {
  const value = jsonIn(text);
  return isFields(value) ? value : text;
}

const treeOf = (documents: Documents): Fields =>
  Object.fromEntries(
    Object.entries(documents).flatMap(([file, text]) =>
      text === null ? [] : [[file, parsed(text)]],
    ),
  );

export const changesBetween = (before: Documents, after: Documents): DocumentChange[] =>
  compare([], treeOf(before), treeOf(after));

function put(parent: Json, name: string, after: Json | undefined): void {
  if (Array.isArray(parent)) {
    const isNamed = (element: Json) => isFields(element) && keyOf(element) === name;
    if (after === undefined) parent.splice(parent.findIndex(isNamed), 1);
    else if (parent.some(isNamed)) parent[parent.findIndex(isNamed)] = after;
    else parent.push(after);
  } else if (isFields(parent)) {
    if (after === undefined) delete parent[name];
    // Also for the name `__proto__`.
    else
      Object.defineProperty(parent, name, {
        value: after,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
}

function parentOf(tree: Json, path: readonly string[]): Json | undefined {
  let parent: Json | undefined = tree;
  for (const name of path.slice(0, -1)) {
    parent = parent === undefined ? undefined : childrenOf(parent)?.get(name);
  }
  return parent;
}

/** @returns whether the value was as before the change, or is already as after it */
function apply(tree: Json, { path, before, after }: DocumentChange): boolean {
  const parent = parentOf(tree, path);
  const name = path.at(-1) ?? '';
  const children = childrenOf(parent);
  if (parent === undefined || !children) return false;
  const current = children.get(name);
  if (isSame(current, after)) return true;
  if (!isSame(current, before)) return false;
  put(parent, name, after);
  return true;
}

export type Merged =
  | { kind: 'merged'; documents: Documents }
  /** Fields that something else changed too. */
  | { kind: 'conflict'; paths: string[] };

/** Applies changes to documents that may have changed elsewhere meanwhile. */
export function withChanges(documents: Documents, changes: readonly DocumentChange[]): Merged {
  const tree = treeOf(documents);
  const failed = changes.filter((change) => !apply(tree, change));
  if (failed.length > 0) {
    return { kind: 'conflict', paths: failed.map(({ path }) => path.join(' ')) };
  }
  return { kind: 'merged', documents: writtenAs(tree, documents) };
}

/** The text of a file that is the same stays as it is. */
function writtenAs(tree: Fields, documents: Documents): Documents {
  const before = treeOf(documents);
  const texts = Object.entries(tree).map(([file, value]) => {
    if (isSame(value, own(before, file))) return [file, documents[file] ?? ''];
    return [file, typeof value === 'string' ? value : JSON.stringify(value, null, 2)];
  });
  return Object.fromEntries(texts);
}

/** Applies changes whatever the values were. What other documents lack cannot be changed there, except a whole file. */
export function withForced(documents: Documents, changes: readonly DocumentChange[]): Documents {
  const tree = treeOf(documents);
  for (const { path, after } of changes) {
    const [file = ''] = path;
    if (path.length > 1 && !Object.hasOwn(tree, file)) put(tree, file, {});
    const parent = parentOf(tree, path);
    if (parent !== undefined) put(parent, path.at(-1) ?? '', after);
  }
  return writtenAs(tree, documents);
}
