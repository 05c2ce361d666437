const known =
  /^(fbclid|gclid|ttclid|utm_(source|medium|campaign|term|content)|skip_split|appDomain|custom_lng|theme)$/;
const longest = 512;

/** The part of a query string that travels from screen to screen, with its `?`, or empty. */
export function keptQuery(search: string): string {
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(search)) {
    if (known.test(name) && !kept.has(name)) kept.set(name, value.slice(0, longest));
  }
  const query = kept.toString();
  return query && `?${query}`;
}
