import { NotImplemented } from '../errors.ts';
import type { Document, Selection, Value } from './parse.ts';

type Variables = Record<string, unknown>;

/** What is selected from: fields by name, a function for one that takes arguments. */
export interface Source {
  __typename: string;
  [field: string]: unknown;
}

function given(value: Value, variables: Variables): unknown {
  if ('variable' in value) return variables[value.variable];
  if ('literal' in value) return value.literal;
  if ('list' in value) return value.list.map((one) => given(one, variables));
  return all(value.object, variables);
}

const all = (values: Record<string, Value>, variables: Variables) =>
  Object.fromEntries(Object.entries(values).map(([name, one]) => [name, given(one, variables)]));

/** Answers what a document selects, and nothing else. A field that is not there is refused. */
export function execute(
  { operation, fragments }: Document,
  source: Source,
  variables: Variables,
): object {
  function select(found: unknown, selections: Selection[]): unknown {
    if (found === null || found === undefined) return null;
    if (Array.isArray(found)) return found.map((one) => select(one, selections));
    if (typeof found !== 'object') return found;
    const from = found as Source;
    if (selections.length === 0) throw new NotImplemented(`${from.__typename} needs a selection`);
    return Object.assign({}, ...selections.map((one) => part(from, one)));
  }

  function part(from: Source, selection: Selection): object {
    if ('spread' in selection) {
      const fragment = fragments[selection.spread];
      return fragment ? part(from, fragment) : {};
    }
    if ('on' in selection) {
      const fits = selection.on === null || selection.on === from.__typename;
      return fits ? (select(from, selection.of) as object) : {};
    }
    const { field, as, args, of } = selection;
    if (!(field in from)) throw new NotImplemented(`no field ${field} on ${from.__typename}`);
    const member = from[field];
    const value = typeof member === 'function' ? member(all(args, variables)) : member;
    return { [as]: select(value, of) };
  }

  return select(source, operation) as object;
}
