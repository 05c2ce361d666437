const script = document.currentScript as HTMLScriptElement;
const here = new URL(script.src);

/** Another vendor host: its own, or under `/fakes/` on our origin. */
const at = (host: string) =>
  here.pathname.startsWith('/fakes/') ? `${here.origin}/fakes/${host}` : `https://${host}`;

/** Sends an event as a pixel does. */
export function tell(address: string, said: Record<string, unknown>): void {
  const [host = '', ...path] = address.split('/');
  const texts = Object.entries(said).map(([key, value]) => [key, String(value)]);
  const query = new URLSearchParams(Object.fromEntries(texts));
  new Image().src = `${at(host)}/${path.join('/')}?${query}`;
}

/** Sets a cookie for months, unless it exists. */
export function mark(name: string, value: string): void {
  if (document.cookie.includes(`${name}=`)) return;
  document.cookie = `${name}=${value}; Path=/; Max-Age=7776000; SameSite=Lax`;
}
