const known =
  /^(fbclid|gclid|ttclid|utm_(source|medium|campaign|term|content)|skip_split|appDomain|custom_lng|theme)$/;
const maxLength = 512;

export function keptQuery(search: string): string {
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(search)) {
    if (known.test(name) && !kept.has(name)) kept.set(name, value.slice(0, maxLength));
  }
  const query = kept.toString();
  return query && `?${query}`;
}
