/** The route of a path, by names such as `GET /customers/:id`; undefined if there is none. */
export function matchRoute(
  routes: string[],
  method: string,
  path: string,
): { name: string; id: string } | undefined {
  const parts = path.split('/').slice(1);
  for (const name of routes) {
    const [verb, pattern = ''] = name.split(' ');
    const steps = pattern.split('/').slice(1);
    if (verb !== method || steps.length !== parts.length) continue;
    if (!steps.every((step, i) => step === ':id' || step === parts[i])) continue;
    return { name, id: decodeURIComponent(parts[steps.indexOf(':id')] ?? '') };
  }
  return undefined;
}
