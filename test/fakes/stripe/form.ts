export type Param = string | Params | Param[];
export type Params = { [name: string]: Param };

const keysOf = (name: string): string[] => name.replaceAll(']', '').split('[');

/** Lists arrive as `a[]=x` or `a[0]=x`; an object whose keys are 0, 1, 2 … is a list. */
function settle(value: Param): Param {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(settle);
  const names = Object.keys(value);
  const isList = names.length > 0 && names.every((name) => /^\d+$/.test(name));
  if (isList) {
    return names
      .sort((a, b) => Number(a) - Number(b))
      .flatMap((name) => (value[name] === undefined ? [] : [settle(value[name])]));
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settle(inner)]));
}

/**
 * Form-encoded text with bracket nesting (`items[0][price]=…`, `expand[]=…`) as a tree of strings.
 * https://docs.stripe.com/api: "Our API accepts form-encoded request bodies".
 */
export function parseForm(text: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = keysOf(name);
    let at: Params = root;
    path.forEach((raw, i) => {
      const key = raw === '' ? String(Object.keys(at).length) : raw;
      if (i === path.length - 1) {
        at[key] = value;
        return;
      }
      const next = at[key];
      const child: Params = typeof next === 'object' && !Array.isArray(next) ? next : {};
      at[key] = child;
      at = child;
    });
  }
  return settle(root) as Params;
}
