export type Value =
  | { variable: string }
  | { literal: string | number | boolean | null }
  | { list: Value[] }
  | { object: Record<string, Value> };

export type Selection =
  | { field: string; as: string; args: Record<string, Value>; of: Selection[] }
  | { on: string | null; of: Selection[] }
  | { spread: string };

export interface Document {
  operation: Selection[];
  fragments: Record<string, { on: string; of: Selection[] }>;
}

const pieces = /\.\.\.|[{}()[\]:!$=@|]|"(?:[^"\\]|\\.)*"|-?\d[\d.]*|\w+/g;

/** Reads one GraphQL operation with its fragments. Types and directives are passed over. */
export function parse(query: string): Document {
  const tokens = query.replace(/#.*$/gm, '').match(pieces) ?? [];
  let at = 0;
  const peek = () => tokens[at] ?? '';
  const next = () => tokens[at++] ?? '';
  const expect = (wanted: string) => {
    const found = next();
    if (found !== wanted) throw new SyntaxError(`expected ${wanted}, found ${found}`);
  };

  function value(): Value {
    const token = next();
    if (token === '$') return { variable: next() };
    if (token === '[') {
      const list: Value[] = [];
      while (peek() !== ']') list.push(value());
      next();
      return { list };
    }
    if (token === '{') {
      const object: Record<string, Value> = {};
      while (peek() !== '}') {
        const name = next();
        expect(':');
        object[name] = value();
      }
      next();
      return { object };
    }
    if (token.startsWith('"')) return { literal: JSON.parse(token) };
    if (/^-?\d/.test(token)) return { literal: Number(token) };
    if (token === 'null') return { literal: null };
    return { literal: token === 'true' ? true : token === 'false' ? false : token };
  }

  function args(): Record<string, Value> {
    const found: Record<string, Value> = {};
    if (peek() !== '(') return found;
    next();
    while (peek() !== ')') {
      const name = next();
      expect(':');
      found[name] = value();
    }
    next();
    return found;
  }

  function selection(): Selection {
    if (peek() !== '...') {
      const first = next();
      const aliased = peek() === ':';
      if (aliased) next();
      const field = aliased ? next() : first;
      return { field, as: first, args: args(), of: peek() === '{' ? selections() : [] };
    }
    next();
    if (peek() === 'on') {
      next();
      return { on: next(), of: selections() };
    }
    return peek() === '{' ? { on: null, of: selections() } : { spread: next() };
  }

  function selections(): Selection[] {
    expect('{');
    const found: Selection[] = [];
    while (peek() !== '}') found.push(selection());
    next();
    return found;
  }

  const document: Document = { operation: [], fragments: {} };
  while (at < tokens.length) {
    if (peek() === 'fragment') {
      next();
      const name = next();
      expect('on');
      document.fragments[name] = { on: next(), of: selections() };
    } else {
      while (peek() !== '{' && at < tokens.length) next();
      document.operation = selections();
    }
  }
  return document;
}
